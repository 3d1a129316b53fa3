// SPDX-License-Identifier: Apache-2.0
// Sends lines to /dev/log without waiting long for its reader.
#define _GNU_SOURCE
#include "log.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 500, LONGEST = 4096 };

struct mpin_log mpin_log_open(void) {
    const struct sockaddr_un reader = {AF_UNIX, "/dev/log"};
    for (int is_stream = 0; is_stream < 2; is_stream++) {
        int type = is_stream ? SOCK_STREAM : SOCK_DGRAM;
        struct mpin_log log = {socket(AF_UNIX, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), is_stream};
        if (log.socket < 0) break;
        if (connect(log.socket, (const struct sockaddr *)&reader, sizeof reader) == 0) return log;
        int why = errno;
        close(log.socket);
        if (why != EPROTOTYPE) break;
    }
    return (struct mpin_log){-1, 0};
}

const char *mpin_program_name(void) { return program_invocation_short_name; }

static long milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void mpin_log_send(struct mpin_log log, int priority, const char *program, const uint8_t *line) {
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    char text[LONGEST], tag[33] = "";
    time_t now = time(NULL);
    struct tm at = {0};
    localtime_r(&now, &at);
    // Whoever starts a setuid program chooses its name, which must not look like another line.
    for (size_t i = 0; i < sizeof tag - 1 && program[i] != 0; i++) {
        char sign = program[i];
        tag[i] = sign > 0x20 && sign < 0x7f && sign != ':' && sign != '[' && sign != ']' ? sign : '?';
    }
    int count = snprintf(
        text, sizeof text, "<%d>%s %2d %02d:%02d:%02d %s[%d]: %s", LOG_AUTHPRIV | LOG_PRI(priority),
        months[at.tm_mon], at.tm_mday, at.tm_hour, at.tm_min, at.tm_sec, tag, (int)getpid(),
        (const char *)line);
    if (log.socket < 0 || count < 0) return;
    // In a stream the zero octet ends the line.
    size_t size = (count < LONGEST ? (size_t)count : LONGEST - 1) + (log.is_stream ? 1 : 0);
    long end = milliseconds() + PATIENCE;
    while (send(log.socket, text, size, MSG_NOSIGNAL) < 0) {
        long left = end - milliseconds();
        if ((errno != EAGAIN && errno != EINTR) || left <= 0) return;
        struct pollfd writable = {log.socket, POLLOUT, 0};
        poll(&writable, 1, (int)left);
    }
}
