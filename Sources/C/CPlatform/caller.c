// SPDX-License-Identifier: Apache-2.0
// What is left of the time that login(1) and sshd(8) give a login. login has a timer in this process. That of
// sshd is in the parent process, where nobody can read it; so its settings and its age are read.
#define _GNU_SOURCE
#include "alarm.h"
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const char blanks[] = " \t\r\n=\"";

int mpin_alarm_left(void) {
    struct itimerval timer;
    if (getitimer(ITIMER_REAL, &timer) != 0) return -1;
    if (timer.it_interval.tv_sec != 0 || timer.it_interval.tv_usec != 0) return -1;
    if (timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0) return -1;
    // Whoever starts a program may have set it.
    if (timer.it_value.tv_sec > 86400) return 86400;
    return (int)timer.it_value.tv_sec + (timer.it_value.tv_usec > 0);
}

/// A time in sshd's form, such as 120 or 1m30s, in seconds; -1 if it is none.
static long seconds(const char *text) {
    static const char units[] = "smhdw";
    static const long worth[] = {1, 60, 3600, 86400, 604800};
    long sum = 0;
    if (*text == 0) return -1;
    while (*text != 0) {
        char *end;
        long number = strtol(text, &end, 10);
        if (end == text || number < 0 || number > 1000000) return -1;
        const char *unit = *end == 0 ? units : strchr(units, *end | 0x20);
        if (unit == NULL) return -1;
        sum += number * worth[unit - units];
        text = *end == 0 ? end : end + 1;
    }
    return sum;
}

/// LoginGraceTime as sshd reads a file: the first value counts, and a Match block ends the global settings.
/// -1 if the file does not say.
static long grace_in(const char *path, int depth);

static long grace_included(const char *pattern, int depth) {
    char whole[1024];
    glob_t found = {0};
    long grace = -1;
    snprintf(whole, sizeof whole, "%s%s", *pattern == '/' ? "" : "/etc/ssh/", pattern);
    if (glob(whole, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc && grace < 0; i++) grace = grace_in(found.gl_pathv[i], depth);
    globfree(&found);
    return grace;
}

static long grace_in(const char *path, int depth) {
    char *line = NULL;
    size_t size = 0;
    long grace = -1;
    FILE *file = depth > 0 ? fopen(path, "re") : NULL;
    if (file == NULL) return -1;
    while (grace < 0 && getline(&line, &size, file) > 0) {
        char *rest = NULL, *word = strtok_r(line, blanks, &rest), *value = strtok_r(NULL, blanks, &rest);
        if (word == NULL || value == NULL || *word == '#') continue;
        if (strcasecmp(word, "Match") == 0) break;
        if (strcasecmp(word, "LoginGraceTime") == 0) grace = seconds(value);
        if (strcasecmp(word, "Include") != 0) continue;
        for (; value != NULL && grace < 0; value = strtok_r(NULL, blanks, &rest))
            grace = grace_included(value, depth - 1);
    }
    free(line);
    fclose(file);
    return grace;
}

/// Reads a file of /proc about a process as one text, with blanks between its words; its length.
static size_t about(int process, const char *name, char *text, size_t size) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", process, name);
    FILE *file = fopen(path, "re");
    size_t count = file == NULL ? 0 : fread(text, 1, size - 1, file);
    if (file != NULL) fclose(file);
    for (size_t i = 0; i < count; i++)
        if (text[i] == 0 || text[i] == '\n') text[i] = ' ';
    text[count] = 0;
    return count;
}

/// LoginGraceTime of the sshd that runs as this process. Its title has the arguments that it was started
/// with.
static long grace_of(int listener) {
    char text[4096], *rest = NULL;
    const char *file = "/etc/ssh/sshd_config";
    about(listener, "cmdline", text, sizeof text);
    for (char *word = strtok_r(text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        const char *option = strcasestr(word, "LoginGraceTime=");
        if (option != NULL) return seconds(option + strlen("LoginGraceTime="));
        if (strncmp(word, "-f", 2) != 0) continue;
        const char *next = word[2] != 0 ? word + 2 : strtok_r(NULL, " ", &rest);
        if (next != NULL) file = next;
    }
    long grace = grace_in(file, 8);
    return grace < 0 ? 120 : grace;
}

int mpin_grace_left(void) {
    char text[1024];
    int listener = 0;
    unsigned long long start = 0;
    struct timespec now;
    about(getppid(), "stat", text, sizeof text);
    // The name stands in brackets and may have brackets itself.
    const char *facts = strrchr(text, ')'), *name = strchr(text, '(');
    if (facts == NULL || name == NULL || clock_gettime(CLOCK_BOOTTIME, &now) != 0) return -1;
    if (strncmp(name, "(sshd)", 6) != 0 && strncmp(name, "(sshd-session)", 14) != 0) return -1;
    if (sscanf(facts,
               ") %*c %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
               &listener, &start) != 2) return -1;
    long grace = grace_of(listener);
    if (grace <= 0) return -1;
    long left = grace - (now.tv_sec - (long)(start / (unsigned long long)sysconf(_SC_CLK_TCK)));
    // sshd has ended a login whose time is over, so here it cannot be.
    return left <= 0 ? -1 : left > 86400 ? 86400 : (int)left;
}
