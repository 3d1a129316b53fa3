// SPDX-License-Identifier: Apache-2.0
// What Swift cannot use itself for processes and sockets: macros, and functions that libc hides or Swift
// marks as unavailable.
#pragma once
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

/// The error number of this thread's last system call: `errno` is a macro.
static inline int mpin_errno(void) { return errno; }

/// A type of sockets. For Swift, the enum of <sys/socket.h> belongs to the C module that imports it first,
/// ours or libcurl's, so whether a file finds it depends on the files that are compiled together.
static const int mpin_stream = SOCK_STREAM;

/// Gets the uid of the process that listens at the other end of a Unix socket, as it was when that process
/// called listen. Returns 0, or -1.
static inline int mpin_peer_uid(int socket, uid_t *uid) {
    struct { pid_t pid; uid_t uid; gid_t gid; } peer;  // struct ucred; libc needs _GNU_SOURCE for it
    socklen_t count = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &count) != 0 || count != sizeof peer) return -1;
    *uid = peer.uid;
    return 0;
}

/// A descriptor that becomes readable when the other end of a socket sends no more, even if packets of it are
/// still unread. If the kernel refuses that: -1 where epoll_create1 fails, and -2 where epoll_ctl does.
static inline int mpin_hangup(int socket) {
    struct epoll_event hangup = {.events = EPOLLRDHUP};
    int found = epoll_create1(EPOLL_CLOEXEC);
    return found < 0 || epoll_ctl(found, EPOLL_CTL_ADD, socket, &hangup) == 0 ? found : -2;
}

/// `fork`, for a child that only calls a few C functions and ends with `_exit`.
static inline pid_t mpin_fork(void) { return fork(); }
/// libc declares `posix_spawn_file_actions_addclosefrom_np` only with _GNU_SOURCE.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
static inline int mpin_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
static inline int mpin_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }
