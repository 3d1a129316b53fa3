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
static int has_own_limits(int drop) {
    const rlim_t memory = 512UL << 20, stack = 8UL << 20;
    return limited(RLIMIT_NOFILE, 64) && limited(RLIMIT_AS, memory) && limited(RLIMIT_DATA, memory)
        && limited(RLIMIT_STACK, stack) && limited(RLIMIT_CPU, 20) && limited(RLIMIT_FSIZE, 0)
        && limited(RLIMIT_CORE, 0) && (!drop || limited(RLIMIT_NPROC, RLIM_INFINITY));
}

/// Leaves open only the channel on descriptor 3 and /dev/null on 0, 1 and 2.
static int has_own_descriptors(int channel) {
    if (channel == CHANNEL ? fcntl(channel, F_SETFD, 0) < 0 : dup3(channel, CHANNEL, 0) < 0) return 0;
    if (syscall(SYS_close_range, CHANNEL + 1, ~0U, 0) != 0) return 0;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0) return 0;
    for (int standard = 0; standard < CHANNEL; standard++)
        if (null == standard ? fcntl(null, F_SETFD, 0) < 0 : dup3(null, standard, 0) < 0) return 0;
    return null < CHANNEL || close(null) == 0;
}

/// Resets scheduling policy and niceness, which the user who calls sudo also chooses, so that the relay gets
/// to run. If that is not permitted, they stay.
static void take_ordinary_turns(void) {
    const int ordinary = 0;  // struct sched_param, priority 0
    syscall(SYS_sched_setscheduler, 0, SCHED_OTHER, &ordinary);
    syscall(SYS_setpriority, PRIO_PROCESS, 0, 0);
}

/// Gives every signal its default action. Signals stay blocked until the last step before exec.
static int has_default_signals(void) {
    const uint64_t by_default[4] = {0};  // struct sigaction of the kernel, SIG_DFL and no flags
    for (int signal = 1; signal <= KERNEL_SIGNALS; signal++) {
        if (signal == SIGKILL || signal == SIGSTOP) continue;
        if (syscall(SYS_rt_sigaction, signal, by_default, NULL, sizeof(uint64_t)) != 0) return 0;
    }
    return 1;
}

static int has_dropped(uid_t uid, gid_t gid) {
    uid_t real = 0, effective = 0, saved = 0;
    gid_t rgid = 0, egid = 0, sgid = 0;
    if (syscall(SYS_setgroups, 0, NULL) != 0 || syscall(SYS_setresgid, gid, gid, gid) != 0) return 0;
    if (syscall(SYS_setresuid, uid, uid, uid) != 0) return 0;
    if (getresuid(&real, &effective, &saved) != 0 || getresgid(&rgid, &egid, &sgid) != 0) return 0;
    return real == uid && effective == uid && saved == uid && rgid == gid && egid == gid && sgid == gid
        && getgroups(0, NULL) == 0 && prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0;
}

/// Leaves the caller's terminal, working directory and masks, and executes the program. If a step fails, the
/// process says so and ends.
static _Noreturn void become_relay(const char *path, uid_t uid, gid_t gid, int drop, int channel) {
    static char name[] = "mpin-relay";
    char *const arguments[] = {name, NULL}, *const environment[] = {NULL};
    const uint64_t none = 0;
    const uint8_t failed[] = {128 + 1, 0, 2, 0, 4, 0, 0};  // an answer to `hello`: this machine failed
    umask(077);
    if (drop) take_ordinary_turns();
    prctl(PR_SET_TIMERSLACK, 50000UL, 0, 0, 0);  // ns, the kernel's default: no wait of the caller's length
    if (has_own_limits(drop) && has_own_descriptors(channel) && has_default_signals() && setsid() >= 0
        && chdir("/") == 0 && (!drop || has_dropped(uid, gid)) && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
        && mask_signals(&none, NULL) == 0)
        execve(path, arguments, environment);
    write(CHANNEL, failed, sizeof failed);
    _exit(70);
}

/// Starts the relay through an intermediate process. exec resets a child's exit signal to SIGCHLD whatever
/// was passed to clone, and some hosts count their children. The intermediate process never calls exec, so
/// its end sends no signal, and the relay becomes a child of init. The intermediate process shares the host's
/// descriptors and so can leave the relay's pidfd in `slot`. Returns 0 or an errno.
static int start_between(const char *path, uid_t uid, gid_t gid, int drop, int channel, int slot) {
    const uint64_t all = ~UINT64_C(0);
    uint64_t before = 0;
    int status = -1, failure = 0, pidfd = -1;
    if (mask_signals(&all, &before) != 0) return errno;
    long between = fork_with(CLONE_FILES, NULL);
    if (between == 0) {
        long relay = fork_with(CLONE_PIDFD, &pidfd);
        if (relay == 0) become_relay(path, uid, gid, drop, channel);
        if (relay < 0) _exit(1);
        if (dup3(pidfd, slot, O_CLOEXEC) == slot) _exit(close(pidfd) != 0);
        syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0);
        close(pidfd);  // the descriptors are shared: it would stay open in the host
        _exit(1);
    }
    if (between < 0) failure = errno;
    while (between > 0 && waitpid((pid_t)between, &status, __WALL) < 0 && errno == EINTR) {}
    mask_signals(&before, NULL);
    if (between > 0 && (!WIFEXITED(status) || WEXITSTATUS(status) != 0)) failure = EAGAIN;
    return failure;
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
    int ends[2], failure = 0;
    if (drop && (uid == 0 || gid == 0)) return EPERM;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    int ours = above_standard(ends[0]);
    int slot = ours < 0 ? -1 : fcntl(ours, F_DUPFD_CLOEXEC, CHANNEL);
    if (slot < 0) failure = errno;
    else failure = start_between(path, uid, gid, drop, ends[1], slot);
    close(ends[1]);
    if (failure == 0) {
        *channel = ours;
        *process = slot;
        return 0;
    }
    if (ours >= 0) close(ours);
    if (slot >= 0) close(slot);
    return failure;
}

static int64_t monotonic_milliseconds(void) {
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/// Waits until the relay closes its end of the channel (`channel`, -1: whatever it does) or ends. A signal
/// that the host handles does not shorten the wait.
static void wait_for_relay(int channel, int process, int milliseconds) {
    struct pollfd awaited[] = {{channel, 0, 0}, {process, POLLIN, 0}};  // POLLHUP is always reported
    int64_t end = monotonic_milliseconds() + milliseconds, left = milliseconds;
    while (left > 0 && poll(awaited, 2, (int)left) < 0 && errno == EINTR)
        left = end - monotonic_milliseconds();
}

void mpin_relay_end(int channel, int process, int milliseconds) {
    shutdown(channel, SHUT_WR);
    wait_for_relay(channel, process, milliseconds);
    syscall(SYS_pidfd_send_signal, process, SIGKILL, NULL, 0);
    // A limit on an ordinary user's processes counts the relay until it has ended.
    if (geteuid() != 0) wait_for_relay(-1, process, 200);
    close(channel);
    close(process);
}
