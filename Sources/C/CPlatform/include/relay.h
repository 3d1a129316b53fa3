// SPDX-License-Identifier: Apache-2.0
// How a parent process starts and ends the relay, the process that speaks with the network.
#pragma once
#include <sys/types.h>

/// Starts the program at `path`. It inherits one end of a packet channel on descriptor 3 and no other
/// descriptor, environment or terminal of the caller. With `drop` it takes the ids `uid` and `gid`, neither
/// of which may be 0; without, it keeps the caller's ids. `channel` gets the other end, `process` a pidfd;
/// both close on exec. Returns 0, or the errno of what failed in this process. If a step in the new process
/// fails, the channel closes.
int mpin_relay_start(const char *path, uid_t uid, gid_t gid, int drop, int *channel, int *process);

/// Sends no more packets. Waits up to `milliseconds` until the relay closes its end of the channel, which it
/// does last. Then kills the relay. The kernel may free its memory after the login has ended; only an
/// ordinary user waits for that, because a limit on processes counts it until then.
void mpin_relay_end(int channel, int process, int milliseconds);
