// SPDX-License-Identifier: Apache-2.0
// A moment at which this thread is to wait no longer, whatever it waits for.
#pragma once
#include <signal.h>
#include <time.h>

struct mpin_alarm {
    timer_t timer;
    int is_set, is_handled;
    struct sigaction before;
    sigset_t mask;
};

/// SIGALRM for this thread in so many milliseconds, and then every second, so that one that comes just before
/// the wait begins is not the last. The timer is its own: alarm(2) of the host goes on. Where the host takes
/// no notice of the signal it only interrupts; where it has a handler, as login has, that handler decides.
void mpin_alarm_start(struct mpin_alarm *alarm, int milliseconds);
/// Afterwards everything is as it was.
void mpin_alarm_end(struct mpin_alarm *alarm);
