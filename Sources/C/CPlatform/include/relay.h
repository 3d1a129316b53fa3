// SPDX-License-Identifier: Apache-2.0
// The process that speaks with the network, as its parent starts and ends it.
#pragma once
#include <sys/types.h>

/// Starts the program at `path` with nothing of the caller's but one end of a packet channel on descriptor 3.
/// With `drop` it becomes `uid` and `gid`, neither of them 0; without, it keeps the caller's ids.
/// `channel` gets the other end, `process` a pidfd; both close on exec. 0, or the errno of what failed here;
/// what fails in the new process shows as the end of the channel.
int mpin_relay_start(const char *path, uid_t uid, gid_t gid, int drop, int *channel, int *process);

/// Closes the channel and ends the process, which has so long to end by itself.
void mpin_relay_end(int channel, int process, int milliseconds);
