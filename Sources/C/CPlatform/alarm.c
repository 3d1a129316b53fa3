// SPDX-License-Identifier: Apache-2.0
// The timer that ends a prompt which the user does not answer. The signal makes the read fail, and the caller
// of read then restores the terminal.
#define _GNU_SOURCE
#include "alarm.h"
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void interrupt(int signal) { (void)signal; }

/// Handles SIGALRM without SA_RESTART, so that an interrupted read is not restarted.
static void handle(struct mpin_alarm *alarm) {
    struct sigaction ours;
    sigset_t only;
    if (sigaction(SIGALRM, NULL, &alarm->before) != 0) return;
    if (alarm->before.sa_handler != SIG_DFL && alarm->before.sa_handler != SIG_IGN) return;
    memset(&ours, 0, sizeof ours);
    ours.sa_handler = interrupt;
    sigemptyset(&ours.sa_mask);
    sigemptyset(&only);
    sigaddset(&only, SIGALRM);
    // The process that started the host process may have blocked the signal.
    alarm->is_handled = sigaction(SIGALRM, &ours, NULL) == 0
        && pthread_sigmask(SIG_UNBLOCK, &only, &alarm->mask) == 0;
}

void mpin_alarm_start(struct mpin_alarm *alarm, int milliseconds) {
    struct sigevent event;
    struct itimerspec times = {{1, 0}, {milliseconds / 1000, milliseconds % 1000 * 1000000L + 1}};
    memset(alarm, 0, sizeof *alarm);
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGALRM;
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    if (timer_create(CLOCK_MONOTONIC, &event, &alarm->timer) != 0) return;
    alarm->is_set = 1;
    handle(alarm);
    timer_settime(alarm->timer, 0, &times, NULL);
}

void mpin_alarm_end(struct mpin_alarm *alarm) {
    if (alarm->is_set) timer_delete(alarm->timer);
    if (!alarm->is_handled) return;
    pthread_sigmask(SIG_SETMASK, &alarm->mask, NULL);
    sigaction(SIGALRM, &alarm->before, NULL);
}
