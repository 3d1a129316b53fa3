// SPDX-License-Identifier: Apache-2.0
// A program that asks PAM under conditions that services live under: it waits for children in an unusual
// way, has given up rights, or lacks system calls. `caller SERVICE USER ANSWER [CONDITION...]`; the exit
// status is PAM's result.
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <security/pam_appl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

static const char *answer, *host;
static int logins = 1;

static int converse(int count, const struct pam_message **asked, struct pam_response **given, void *data) {
    (void)data;
    *given = calloc((size_t)count, sizeof **given);
    for (int i = 0; i < count; i++)
        if (asked[i]->msg_style == PAM_PROMPT_ECHO_OFF || asked[i]->msg_style == PAM_PROMPT_ECHO_ON)
            (*given)[i].resp = strdup(answer);
    return PAM_SUCCESS;
}

static void *wait_for_everything(void *nothing) {
    for (;;) if (waitpid(-1, NULL, __WALL) < 0) usleep(50);
    return nothing;
}

/// Refuses system call `number` with `error`; with `family`, only a socket of that family.
static void refuse(unsigned number, unsigned error, unsigned family) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, family ? 3 : 1),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, family, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    if (!family) memmove(&code[2], &code[4], 2 * sizeof *code);
    struct sock_fprog program = {family ? 6 : 4, code};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) exit(99);
}

static void set(int failed) {
    if (failed) exit(98);
}

static void meet(const char *condition) {
    unsigned number, error, family;
    pthread_t thread;
    struct sigaction silent = {.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDWAIT};
    if (!strcmp(condition, "subreaper")) prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    else if (!strcmp(condition, "ignore")) signal(SIGCHLD, SIG_IGN);
    else if (!strcmp(condition, "nocldwait")) sigaction(SIGCHLD, &silent, NULL);
    else if (!strcmp(condition, "wall")) pthread_create(&thread, NULL, wait_for_everything, NULL);
    else if (!strcmp(condition, "drop")) set(setresgid(getgid(), getgid(), getgid()) | setuid(getuid()));
    else if (!strcmp(condition, "become")) set(setreuid(geteuid(), geteuid()));
    else if (!strcmp(condition, "lower")) set(seteuid(getuid()));
    else if (sscanf(condition, "logins=%d", &logins) == 1) return;
    else if (!strncmp(condition, "rhost=", 6)) host = condition + 6;
    else if (sscanf(condition, "refuse=%u:%u:%u", &number, &error, &family) == 3)
        refuse(number, error, family);
    else exit(97);
}

int main(int count, char **words) {
    struct pam_conv conversation = {converse, NULL};
    pam_handle_t *handle = NULL;
    int result = PAM_SYSTEM_ERR;
    if (count < 4) return 97;
    answer = words[3];
    conversation.appdata_ptr = &conversation;
    for (int i = 4; i < count; i++) meet(words[i]);
    // Shows whether a log line can come out of here at all.
    syslog(LOG_AUTHPRIV | LOG_INFO, "the caller begins");
    for (int i = 0; i < logins; i++) {
        result = pam_start(words[1], words[2], &conversation, &handle);
        if (result == PAM_SUCCESS && host) pam_set_item(handle, PAM_RHOST, host);
        if (result == PAM_SUCCESS) result = pam_authenticate(handle, 0);
        pam_end(handle, result);
    }
    int left = 0;
    while (waitpid(-1, NULL, WNOHANG | __WALL) > 0) left++;
    _exit(left ? 96 : result);
}
