// SPDX-License-Identifier: Apache-2.0
// What Swift lacks for processes and sockets: macros, and calls that libc hides or Swift declares
// unavailable.
#pragma once
#include <arpa/nameser.h>
#include <errno.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <resolv.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

/// The error of the last system call of this thread: `errno` is a macro.
static inline int mpin_errno(void) { return errno; }

/// Kinds of sockets. To Swift the enum of <sys/socket.h> belongs to the C module that it met first, ours or
/// libcurl's, so which files find it depends on the files that are compiled together.
static const int mpin_stream = SOCK_STREAM;
static const int mpin_private_stream = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;

/// The uid of the process that listened at the other end of a Unix socket. 0, or -1.
static inline int mpin_peer_uid(int socket, uid_t *uid) {
    struct { pid_t pid; uid_t uid; gid_t gid; } peer;  // struct ucred, which libc shows with _GNU_SOURCE only
    socklen_t count = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &count) != 0 || count != sizeof peer) return -1;
    *uid = peer.uid;
    return 0;
}

/// Whether this is a TCP socket whose other end has not said a word. The kernel takes the answer itself: a
/// process that did not run in time does not make its other end silent.
static inline int mpin_tcp_is_silent(int socket) {
    uint8_t state = 0;  // the first octet of struct tcp_info
    socklen_t count = sizeof state;
    return getsockopt(socket, IPPROTO_TCP, TCP_INFO, &state, &count) == 0 && state == TCP_SYN_SENT;
}

/// `fork`, for a child that makes a few calls of C and ends by `_exit`.
static inline pid_t mpin_fork(void) { return fork(); }
/// `posix_spawn_file_actions_addclosefrom_np`, which libc shows with _GNU_SOURCE only.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
static inline int mpin_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
/// This process makes no other. Others of its user do not count, nor does how many they are. 0, or -1.
static inline int mpin_have_no_children(void) {
    const struct rlimit none = {0, 0};
    return setrlimit(RLIMIT_NPROC, &none);
}
/// The pending error of a socket, which is its own no more. 0: there is none.
static inline int mpin_socket_error(int socket) {
    int error = 0;
    socklen_t count = sizeof error;
    return getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &count) != 0 ? errno : error;
}
/// Whether a name server answers that there is no such name. `getaddrinfo` says that for other reasons, too.
static inline int mpin_no_such_name(const char *name) {
    unsigned char answer[4096];
    return res_query(name, C_IN, T_A, answer, sizeof answer) < 0 && h_errno == HOST_NOT_FOUND;
}
static inline int mpin_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }
