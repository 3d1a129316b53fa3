// SPDX-License-Identifier: Apache-2.0
// How the relay is started and ended. Between fork and exec the child makes only system calls, and raw ones
// where libc's functions would signal the host's other threads or take locks: in the child, only the calling
// thread exists.
#define _GNU_SOURCE
#include "relay.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CHANNEL = 3, KERNEL_SIGNALS = 64 };

/// An answer to `hello`: this machine failed.
static const uint8_t failed[] = {128 + 1, 0, 2, 0, 4, 0, 0};

const char *mpin_call_name(int call) {
    static const char *const names[] = {
        "socketpair", "fcntl", "rt_sigprocmask", "clone", "waitid", "prlimit64", "dup3", "close_range",
        "openat", "rt_sigaction", "setsid", "chdir", "setgroups", "setresgid", "setresuid", "getgroups",
        "getresgid", "getresuid", "prctl", "execve", "getsockopt", "epoll_create1", "epoll_ctl", "seccomp"};
    const int count = sizeof names / sizeof *names;
    return call >= MPIN_SOCKETPAIR && call < MPIN_SOCKETPAIR + count ? names[call - MPIN_SOCKETPAIR] : NULL;
}

/// The kernel's own signal mask; libc's sigprocmask leaves out the two signals that libc uses itself.
static long mask_signals(const uint64_t *set, uint64_t *old) {
    return syscall(SYS_rt_sigprocmask, SIG_SETMASK, set, old, sizeof *set);
}

static long fork_with(unsigned long flags, int *pidfd) {
    return syscall(SYS_clone, flags, 0L, pidfd, 0L, 0L);
}

/// Replaces the caller's limit with ours. An ordinary user cannot raise a hard limit and keeps a lower one.
static int limited(int resource, rlim_t ours) {
    struct rlimit limit = {ours, ours}, now;
    if (syscall(SYS_prlimit64, 0, resource, &limit, NULL) == 0) return 1;
    if (syscall(SYS_prlimit64, 0, resource, NULL, &now) != 0 || now.rlim_max > ours) return 0;
    limit.rlim_cur = limit.rlim_max = now.rlim_max;
    return syscall(SYS_prlimit64, 0, resource, &limit, NULL) == 0;
}

/// The user who calls sudo chooses its limits, and the relay needs its own. There is no limit on processes:
/// the kernel would count the relays of all logins together, and a user who keeps many prompts open would
/// lock out all others. The relay's filter keeps it from creating processes. A caller without
/// CAP_SYS_RESOURCE cannot raise that limit, so execve may fail.
static int take_limits(int drop) {
    const rlim_t memory = 512UL << 20, stack = 8UL << 20;
    const int done = limited(RLIMIT_NOFILE, 64) && limited(RLIMIT_AS, memory) && limited(RLIMIT_DATA, memory)
        && limited(RLIMIT_STACK, stack) && limited(RLIMIT_CPU, 20) && limited(RLIMIT_FSIZE, 0)
        && limited(RLIMIT_CORE, 0) && (!drop || limited(RLIMIT_NPROC, RLIM_INFINITY));
    return done ? 0 : MPIN_PRLIMIT;
}

/// Leaves open only the channel on descriptor 3 and /dev/null on 0, 1 and 2. `channel` becomes 3 on the way.
static int take_descriptors(int *channel) {
    if (*channel == CHANNEL ? fcntl(CHANNEL, F_SETFD, 0) < 0 : dup3(*channel, CHANNEL, 0) < 0)
        return *channel == CHANNEL ? MPIN_FCNTL : MPIN_DUP3;
    *channel = CHANNEL;
    if (syscall(SYS_close_range, CHANNEL + 1, ~0U, 0) != 0) return MPIN_CLOSE_RANGE;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0) return MPIN_OPENAT;
    for (int standard = 0; standard < CHANNEL; standard++)
        if (null == standard ? fcntl(null, F_SETFD, 0) < 0 : dup3(null, standard, 0) < 0) return MPIN_DUP3;
    if (null > CHANNEL) close(null);
    return 0;
}

/// Resets scheduling policy and niceness, which the user who calls sudo also chooses, so that the relay gets
/// to run. If that is not permitted, they stay.
static void take_ordinary_turns(void) {
    const int ordinary = 0;  // struct sched_param, priority 0
    syscall(SYS_sched_setscheduler, 0, SCHED_OTHER, &ordinary);
    syscall(SYS_setpriority, PRIO_PROCESS, 0, 0);
}

/// Gives every signal its default action. Signals stay blocked until the last step before exec.
static int take_default_signals(void) {
    const uint64_t by_default[4] = {0};  // struct sigaction of the kernel, SIG_DFL and no flags
    for (int signal = 1; signal <= KERNEL_SIGNALS; signal++) {
        if (signal == SIGKILL || signal == SIGSTOP) continue;
        if (syscall(SYS_rt_sigaction, signal, by_default, NULL, sizeof(uint64_t)) != 0)
            return MPIN_SIGACTION;
    }
    return 0;
}

static int drop_to(uid_t uid, gid_t gid) {
    uid_t real = 0, effective = 0, saved = 0;
    gid_t rgid = 0, egid = 0, sgid = 0;
    if (syscall(SYS_setgroups, 0, NULL) != 0) return MPIN_SETGROUPS;
    if (syscall(SYS_setresgid, gid, gid, gid) != 0) return MPIN_SETRESGID;
    if (syscall(SYS_setresuid, uid, uid, uid) != 0) return MPIN_SETRESUID;
    if (getgroups(0, NULL) != 0) return MPIN_GETGROUPS;
    if (getresgid(&rgid, &egid, &sgid) != 0 || rgid != gid || egid != gid || sgid != gid)
        return MPIN_GETRESGID;
    if (getresuid(&real, &effective, &saved) != 0 || real != uid || effective != uid || saved != uid)
        return MPIN_GETRESUID;
    return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0 ? 0 : MPIN_PRCTL;
}

/// Leaves the caller's terminal, working directory and masks, and executes the program. If a step fails, the
/// process says so and ends with the number of the call.
static _Noreturn void become_relay(const char *path, uid_t uid, gid_t gid, int drop, int channel) {
    static char name[] = "mpin-relay";
    char *const arguments[] = {name, NULL}, *const environment[] = {NULL};
    const uint64_t none = 0;
    umask(077);
    if (drop) take_ordinary_turns();
    prctl(PR_SET_TIMERSLACK, 50000UL, 0, 0, 0);  // ns, the kernel's default: no wait of the caller's length
    int refused = take_limits(drop);
    if (refused == 0) refused = take_descriptors(&channel);
    if (refused == 0) refused = take_default_signals();
    if (refused == 0 && setsid() < 0) refused = MPIN_SETSID;
    if (refused == 0 && chdir("/") != 0) refused = MPIN_CHDIR;
    if (refused == 0 && drop) refused = drop_to(uid, gid);
    if (refused == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) refused = MPIN_PRCTL;
    if (refused == 0 && mask_signals(&none, NULL) != 0) refused = MPIN_SIGPROCMASK;
    if (refused == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        execve(path, arguments, environment);
        refused = MPIN_EXECVE;
    }
    write(channel, failed, sizeof failed);
    _exit(refused);
}

/// Ends a relay when SIGTERM asks for that, waits until it has ended, and passes on how. The relay's own
/// children, which end with it, become the keeper's.
static _Noreturn void keep(long relay) {
    const uint64_t awaited = UINT64_C(1) << (SIGCHLD - 1) | UINT64_C(1) << (SIGTERM - 1);
    siginfo_t end = {0}, other = {0};
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    while (end.si_pid == 0) {
        long signal = syscall(SYS_rt_sigtimedwait, &awaited, NULL, NULL, sizeof awaited);
        if (signal < 0 && errno == EINTR) continue;
        if (signal == SIGTERM) syscall(SYS_kill, relay, SIGKILL);
        // SIGCHLD also comes when the relay stops. Without sigtimedwait, the relay must end by itself.
        if (syscall(SYS_waitid, P_PID, relay, &end, WEXITED | (signal == SIGCHLD ? WNOHANG : 0), NULL) != 0)
            _exit(MPIN_WAITID);
    }
    while (syscall(SYS_waitid, P_ALL, 0, &other, WEXITED, NULL) == 0) {}
    _exit(end.si_code == CLD_EXITED ? end.si_status : 128 + end.si_status);
}

/// The keeper: the relay's parent, a copy of this process without its descriptors. exec resets a child's
/// exit signal to SIGCHLD whatever was passed to clone, and some hosts count their children. The keeper never
/// calls exec, so its end sends no signal, and only a wait with __WALL finds it. It waits for the relay,
/// which would otherwise be left to an init that may never do that.
static _Noreturn void keep_relay(const char *path, uid_t uid, gid_t gid, int drop, int channel) {
    const uint64_t by_default[4] = {0};  // as above
    if (syscall(SYS_rt_sigaction, SIGCHLD, by_default, NULL, sizeof(uint64_t)) != 0) {
        write(channel, failed, sizeof failed);
        _exit(MPIN_SIGACTION);
    }
    long relay = fork_with(SIGCHLD, NULL);
    if (relay == 0) become_relay(path, uid, gid, drop, channel);
    if (relay < 0) {
        write(channel, failed, sizeof failed);
        _exit(MPIN_CLONE);
    }
    // Without close_range there is no relay either.
    syscall(SYS_close_range, 0, ~0U, 0);
    setsid();
    prctl(PR_SET_NAME, "mpin-keeper", 0, 0, 0);
    keep(relay);
}

/// Starts the keeper. Returns 0 or the call that failed.
static int start_keeper(const char *path, uid_t uid, gid_t gid, int drop, int channel, int *pidfd) {
    const uint64_t all = ~UINT64_C(0);
    uint64_t before = 0;
    if (mask_signals(&all, &before) != 0) return MPIN_SIGPROCMASK;
    long keeper = fork_with(CLONE_PIDFD, pidfd);
    if (keeper == 0) keep_relay(path, uid, gid, drop, channel);
    int failure = errno;
    mask_signals(&before, NULL);
    errno = failure;
    return keeper < 0 ? MPIN_CLONE : 0;
}

/// Replaces a descriptor by a copy above the standard ones: a host that runs without those would otherwise
/// print into it.
static int above_standard(int descriptor) {
    int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, CHANNEL);
    int failure = errno;
    close(descriptor);
    errno = failure;
    return copy;
}

int mpin_relay_start(const char *path, uid_t uid, gid_t gid, int drop, int *channel, int *process) {
    int ends[2], keeper = -1, refused = 0;
    if (drop && (uid == 0 || gid == 0)) {
        errno = EPERM;
        return MPIN_SETRESUID;
    }
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return MPIN_SOCKETPAIR;
    *channel = above_standard(ends[0]);
    if (*channel < 0) refused = MPIN_FCNTL;
    if (refused == 0) refused = start_keeper(path, uid, gid, drop, ends[1], &keeper);
    int failure = errno;
    close(ends[1]);
    if (refused == 0) {
        *process = above_standard(keeper);
        if (*process >= 0) return 0;
        // The relay's channel closes, so it ends.
        refused = MPIN_FCNTL;
        failure = errno;
    }
    if (*channel >= 0) close(*channel);
    errno = failure;
    return refused;
}

static int64_t monotonic_milliseconds(void) {
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/// Waits until the relay closes its end of the channel (`channel`, -1: whatever it does) or the keeper ends.
/// A signal that the host handles does not shorten the wait. Returns whether either happened in time.
static int wait_for_relay(int channel, int process, int milliseconds) {
    struct pollfd awaited[] = {{channel, 0, 0}, {process, POLLIN, 0}};  // POLLHUP is always reported
    int64_t end = monotonic_milliseconds() + milliseconds, left = milliseconds;
    int found = 0;
    while (left > 0 && (found = poll(awaited, 2, (int)left)) < 0 && errno == EINTR)
        left = end - monotonic_milliseconds();
    return found > 0;
}

int mpin_relay_end(int channel, int process, int milliseconds) {
    siginfo_t end = {0};
    shutdown(channel, SHUT_WR);
    wait_for_relay(channel, process, milliseconds);
    syscall(SYS_pidfd_send_signal, process, SIGTERM, NULL, 0);
    if (!wait_for_relay(-1, process, 2000)) {
        syscall(SYS_pidfd_send_signal, process, SIGKILL, NULL, 0);
        wait_for_relay(-1, process, 200);
    }
    // If a thread of the host was faster, nothing is left to take away.
    long done = syscall(SYS_waitid, P_PIDFD, process, &end, WEXITED | WNOHANG | __WALL, NULL);
    close(channel);
    close(process);
    return done == 0 && end.si_pid != 0 && end.si_code == CLD_EXITED ? end.si_status : -1;
}
