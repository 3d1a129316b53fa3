// SPDX-License-Identifier: Apache-2.0
// A timer that interrupts whatever this thread is waiting for.
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
