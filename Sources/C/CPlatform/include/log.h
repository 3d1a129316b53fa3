// SPDX-License-Identifier: Apache-2.0
// Lines for the system's log. syslog(3) waits for a reader of /dev/log without an end, and a login must not.
#pragma once
#include <stdint.h>
#include <syslog.h>

/// A socket that never waits, connected to the reader of /dev/log; -1 if nobody reads there.
struct mpin_log {
    int socket, is_stream;
};

struct mpin_log mpin_log_open(void);

/// The name of this program, as whoever started it chose it.
const char *mpin_program_name(void);

/// Sends one line, facility authpriv, as syslog(3) does. While the reader's queue is full this waits up to
/// half a second; then the line is lost. `program` and `line` end with a zero octet.
void mpin_log_send(struct mpin_log log, int priority, const char *program, const uint8_t *line);
