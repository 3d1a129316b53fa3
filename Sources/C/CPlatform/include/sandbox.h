// SPDX-License-Identifier: Apache-2.0
// The system call filter (seccomp) of a process that speaks with the network: it may use its sockets and its
// memory. Also its log and its dumpable flag.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#define MPIN_AUDIT_ARCH AUDIT_ARCH_X86_64
#define MPIN_FOREIGN_CALLS 0x40000000U  // x32: the same arch value, other numbers
#elif defined(__aarch64__)
#define MPIN_AUDIT_ARCH AUDIT_ARCH_AARCH64
#define MPIN_FOREIGN_CALLS 0xffffffffU
#else
#error "no system call filter for this processor"
#endif

#define MPIN_KILL SECCOMP_RET_KILL_PROCESS
#define MPIN_ERRNO(code) (SECCOMP_RET_ERRNO | (code))
#define MPIN_RETURN(action) BPF_STMT(BPF_RET | BPF_K, (action))
#define MPIN_LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
/// Goes on with the next instruction if the loaded value is `number`; otherwise skips `skip` instructions.
#define MPIN_UNLESS(number, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, (skip))
#define MPIN_CALL(name, action) MPIN_UNLESS(__NR_##name, 1), MPIN_RETURN(action)
#define MPIN_ALLOW(name) MPIN_CALL(name, SECCOMP_RET_ALLOW)
/// Kills the process if an argument has one of these bits, otherwise returns `otherwise`. All the bits are in
/// the argument's low half, which comes first because both processors are little-endian.
#define MPIN_KILL_BITS(name, argument, bits, otherwise)                                        \
    MPIN_UNLESS(__NR_##name, 4), MPIN_LOAD(args[argument]),                                    \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), 0, 1), MPIN_RETURN(MPIN_KILL), MPIN_RETURN(otherwise)
#define MPIN_WRITING (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND)

/// Opening a file to read fails with EACCES, because libraries look for optional files; opening one to write
/// is an attack and kills the process.
#define MPIN_FILES                                                                             \
    MPIN_KILL_BITS(openat, 2, MPIN_WRITING, MPIN_ERRNO(EACCES)), MPIN_CALL(openat2, MPIN_KILL)
#define MPIN_PROCESSES                                                                         \
    MPIN_CALL(execve, MPIN_KILL), MPIN_CALL(execveat, MPIN_KILL), MPIN_CALL(clone, MPIN_KILL), \
        MPIN_CALL(clone3, MPIN_KILL), MPIN_CALL(ptrace, MPIN_KILL),                            \
        MPIN_CALL(process_vm_readv, MPIN_KILL), MPIN_CALL(process_vm_writev, MPIN_KILL)
#define MPIN_CODE                                                                              \
    MPIN_KILL_BITS(mmap, 2, PROT_EXEC, SECCOMP_RET_ALLOW),                                     \
        MPIN_KILL_BITS(mprotect, 2, PROT_EXEC, SECCOMP_RET_ALLOW),                             \
        MPIN_CALL(pkey_mprotect, MPIN_KILL)
/// Allows sockets of these families only. FIONBIO (nonblocking) is the only ioctl.
#define MPIN_SOCKETS                                                                           \
    MPIN_UNLESS(__NR_socket, 6), MPIN_LOAD(args[0]),                                           \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 2, 0),                                    \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 1, 0), MPIN_UNLESS(AF_INET6, 1),          \
        MPIN_RETURN(SECCOMP_RET_ALLOW), MPIN_RETURN(MPIN_ERRNO(EAFNOSUPPORT)),                 \
        MPIN_UNLESS(__NR_ioctl, 4), MPIN_LOAD(args[1]), MPIN_UNLESS(FIONBIO, 1),               \
        MPIN_RETURN(SECCOMP_RET_ALLOW), MPIN_RETURN(MPIN_ERRNO(ENOTTY))
/// System calls that exist only on x86-64, the older architecture. The list ends with a comma.
#ifdef __x86_64__
#define MPIN_OLDER                                                                             \
    MPIN_KILL_BITS(open, 1, MPIN_WRITING, MPIN_ERRNO(EACCES)), MPIN_CALL(creat, MPIN_KILL),    \
        MPIN_CALL(fork, MPIN_KILL), MPIN_CALL(vfork, MPIN_KILL), MPIN_ALLOW(poll),             \
        MPIN_ALLOW(select), MPIN_ALLOW(time), MPIN_ALLOW(pipe),
#else
#define MPIN_OLDER
#endif

/// Prepares syslog while the time zone file can still be read. The first line opens syslog's socket.
static inline void mpin_log_open(void) {
    tzset();
    openlog("mpin-relay", LOG_PID, LOG_AUTHPRIV);
}
/// Logs one line.
static inline void mpin_log(int priority, const uint8_t *line) { syslog(priority, "%s", (const char *)line); }

/// Keeps other processes of the same user from reading this process, and prevents core dumps. Returns 0, or
/// -1.
static inline int mpin_undumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

/// Installs the filter for every thread; it cannot be removed. An attempt to start a process or a program,
/// write a file, read another process's memory or make memory executable kills this process. A system call
/// that is not named here fails with ENOSYS, so that a newer libc falls back to older calls. Returns 0, or
/// not 0 after an error.
static inline int mpin_sandbox(void) {
    struct sock_filter program[] = {
        MPIN_LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MPIN_AUDIT_ARCH, 1, 0), MPIN_RETURN(MPIN_KILL),
        MPIN_LOAD(nr), BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, MPIN_FOREIGN_CALLS, 0, 1), MPIN_RETURN(MPIN_KILL),
        MPIN_FILES, MPIN_PROCESSES, MPIN_CODE, MPIN_SOCKETS, MPIN_OLDER
        // The channel to the parent, and the connections.
        MPIN_ALLOW(read), MPIN_ALLOW(readv), MPIN_ALLOW(recvfrom), MPIN_ALLOW(recvmsg), MPIN_ALLOW(write),
        MPIN_ALLOW(writev), MPIN_ALLOW(sendto), MPIN_ALLOW(sendmsg), MPIN_ALLOW(connect),
        MPIN_ALLOW(shutdown), MPIN_ALLOW(getsockopt), MPIN_ALLOW(setsockopt), MPIN_ALLOW(getsockname),
        MPIN_ALLOW(getpeername),
        MPIN_ALLOW(ppoll), MPIN_ALLOW(pselect6), MPIN_ALLOW(close), MPIN_ALLOW(fcntl), MPIN_ALLOW(pipe2),
        MPIN_ALLOW(eventfd2), MPIN_ALLOW(socketpair),
        // Memory, time, randomness, and the process's own ids.
        MPIN_ALLOW(munmap), MPIN_ALLOW(mremap), MPIN_ALLOW(brk), MPIN_ALLOW(madvise), MPIN_ALLOW(futex),
        MPIN_ALLOW(clock_gettime), MPIN_ALLOW(clock_getres), MPIN_ALLOW(gettimeofday),
        MPIN_ALLOW(clock_nanosleep), MPIN_ALLOW(nanosleep), MPIN_ALLOW(getrandom), MPIN_ALLOW(getpid),
        MPIN_ALLOW(gettid), MPIN_ALLOW(getuid), MPIN_ALLOW(geteuid), MPIN_ALLOW(getgid), MPIN_ALLOW(getegid),
        MPIN_ALLOW(sched_yield),
        // Signals and the end of the process.
        MPIN_ALLOW(rt_sigaction), MPIN_ALLOW(rt_sigprocmask), MPIN_ALLOW(rt_sigreturn),
        MPIN_ALLOW(sigaltstack), MPIN_ALLOW(restart_syscall), MPIN_ALLOW(exit), MPIN_ALLOW(exit_group),
        MPIN_RETURN(MPIN_ERRNO(ENOSYS)),
    };
    struct sock_fprog filter = {sizeof program / sizeof program[0], program};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
}
