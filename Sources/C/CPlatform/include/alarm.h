// SPDX-License-Identifier: Apache-2.0
// A timer that interrupts whatever this thread is waiting for; and how long the program that calls the module
// waits for the login.
#pragma once
#include <signal.h>
#include <time.h>

struct mpin_alarm {
    timer_t timer;
    int is_set, is_handled;
    struct sigaction before;
    sigset_t mask;
};

/// Sends SIGALRM to this thread after `milliseconds`, and then every second, in case the first signal arrives
/// just before the wait begins. The timer is separate from the host's alarm(2), which keeps running. If the
/// host ignores SIGALRM or has its default action, the signal only interrupts; if the host has a handler, as
/// login has, that handler runs and decides.
void mpin_alarm_start(struct mpin_alarm *alarm, int milliseconds);
/// Deletes the timer and restores the signal's former action and mask.
void mpin_alarm_end(struct mpin_alarm *alarm);

/// The seconds until the alarm(2) that this process has set, as login(1) has; -1 without one. A timer that
/// repeats ends no login.
int mpin_alarm_left(void);
/// The seconds that sshd leaves the login by LoginGraceTime, if this process is a child of sshd's; -1 without
/// a limit, or if it cannot be read.
int mpin_grace_left(void);
