// SPDX-License-Identifier: Apache-2.0
// What Swift cannot use itself for processes and sockets: macros, and functions that libc hides or Swift
// marks as unavailable.
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

/// The error number of this thread's last system call: `errno` is a macro.
static inline int mpin_errno(void) { return errno; }

/// Types of sockets. For Swift, the enum of <sys/socket.h> belongs to the C module that imports it first,
/// ours or libcurl's, so whether a file finds it depends on the files that are compiled together.
static const int mpin_stream = SOCK_STREAM;
static const int mpin_private_stream = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;

/// Gets the uid of the process that listens at the other end of a Unix socket, as it was when that process
/// called listen. Returns 0, or -1.
static inline int mpin_peer_uid(int socket, uid_t *uid) {
    struct { pid_t pid; uid_t uid; gid_t gid; } peer;  // struct ucred; libc needs _GNU_SOURCE for it
    socklen_t count = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &count) != 0 || count != sizeof peer) return -1;
    *uid = peer.uid;
    return 0;
}

/// Whether this is a TCP socket whose other end has not answered yet. The kernel handles the handshake
/// itself, so a slow or stopped process here does not make the other end look silent.
static inline int mpin_tcp_is_silent(int socket) {
    uint8_t state = 0;  // the first octet of struct tcp_info
    socklen_t count = sizeof state;
    return getsockopt(socket, IPPROTO_TCP, TCP_INFO, &state, &count) == 0 && state == TCP_SYN_SENT;
}

/// `fork`, for a child that only calls a few C functions and ends with `_exit`.
static inline pid_t mpin_fork(void) { return fork(); }
/// libc declares `posix_spawn_file_actions_addclosefrom_np` only with _GNU_SOURCE.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
static inline int mpin_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
/// Keeps this process from creating processes, however many its user already has. The limit does not apply to
/// the user's other processes. Returns 0, or -1.
static inline int mpin_have_no_children(void) {
    const struct rlimit none = {0, 0};
    return setrlimit(RLIMIT_NPROC, &none);
}
/// Returns and clears the pending error of a socket; 0 if there is none.
static inline int mpin_socket_error(int socket) {
    int error = 0;
    socklen_t count = sizeof error;
    return getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &count) != 0 ? errno : error;
}
/// Whether a name server answers that the name does not exist. `getaddrinfo` reports that for other reasons,
/// too.
static inline int mpin_no_such_name(const char *name) {
    unsigned char answer[4096];
    return res_query(name, C_IN, T_A, answer, sizeof answer) < 0 && h_errno == HOST_NOT_FOUND;
}
static inline int mpin_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }
