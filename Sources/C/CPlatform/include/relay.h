// SPDX-License-Identifier: Apache-2.0
// How a parent process starts and ends the relay, the process that speaks with the network.
#pragma once
#include <sys/types.h>

/// The system calls without which there is no relay. A relay that is refused one ends with its number.
enum mpin_call {
    MPIN_SOCKETPAIR = 80, MPIN_FCNTL, MPIN_SIGPROCMASK, MPIN_CLONE, MPIN_WAITID, MPIN_PRLIMIT, MPIN_DUP3,
    MPIN_CLOSE_RANGE, MPIN_OPENAT, MPIN_SIGACTION, MPIN_SETSID, MPIN_CHDIR, MPIN_SETGROUPS, MPIN_SETRESGID,
    MPIN_SETRESUID, MPIN_GETGROUPS, MPIN_GETRESGID, MPIN_GETRESUID, MPIN_PRCTL, MPIN_EXECVE, MPIN_GETSOCKOPT,
    MPIN_EPOLL_CREATE, MPIN_EPOLL_CTL, MPIN_SECCOMP
};

/// The name of a call of this list, or NULL.
const char *mpin_call_name(int call);

/// Starts the program at `path`. It inherits one end of a packet channel on descriptor 3 and no other
/// descriptor, environment or terminal of the caller. With `drop` it takes the ids `uid` and `gid`, neither
/// of which may be 0; without, it keeps the caller's ids. `channel` gets the other end, `process` a pidfd of
/// the relay's keeper, which ends when the relay has ended; both close on exec. Returns 0, or the call that
/// failed in this process, with errno. If a call in a new process fails, the channel closes.
int mpin_relay_start(const char *path, uid_t uid, gid_t gid, int drop, int *channel, int *process);

/// Sends no more packets. Waits up to `milliseconds` until the relay closes its end of the channel, which it
/// does last. Then kills the relay, and waits until nothing of it is left. Returns its exit status, 128 and a
/// signal if one ended it, or -1 if that is unknown.
int mpin_relay_end(int channel, int process, int milliseconds);
