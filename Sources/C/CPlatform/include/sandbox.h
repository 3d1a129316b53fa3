// SPDX-License-Identifier: Apache-2.0
// The system call filters (seccomp) of the processes that speak with the network: the relay may use its
// sockets and its memory, the process that asks name servers may also read files. Also the relay's dumpable
// flag.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
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
#define MPIN_PASS SECCOMP_RET_ALLOW
#define MPIN_ERRNO(code) (SECCOMP_RET_ERRNO | (code))
#define MPIN_RETURN(action) BPF_STMT(BPF_RET | BPF_K, (action))
#define MPIN_LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
/// Goes on with the next instruction if the loaded value is `number`; otherwise skips `skip` instructions.
#define MPIN_UNLESS(number, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, (skip))
#define MPIN_CALL(name, action) MPIN_UNLESS(__NR_##name, 1), MPIN_RETURN(action)
#define MPIN_ALLOW(name) MPIN_CALL(name, MPIN_PASS)
/// Compares the low half of an argument, which comes first because both processors are little-endian, and
/// takes the action if the comparison is true. Otherwise the next rule decides.
#define MPIN_WHEN(name, argument, comparison, value, action)                                   \
    MPIN_UNLESS(__NR_##name, 4), MPIN_LOAD(args[argument]),                                    \
        BPF_JUMP(BPF_JMP | (comparison) | BPF_K, (uint32_t)(value), 0, 1), MPIN_RETURN(action), MPIN_LOAD(nr)
/// Takes the action if an argument has one of these bits.
#define MPIN_BITS(name, argument, bits, action) MPIN_WHEN(name, argument, BPF_JSET, bits, action)
/// Allows the call if an argument has this value.
#define MPIN_ALLOW_IF(name, argument, value) MPIN_WHEN(name, argument, BPF_JEQ, value, MPIN_PASS)
/// Allows the call if two arguments have these values.
#define MPIN_ALLOW_BOTH(name, argument, value, other, its_value)                               \
    MPIN_UNLESS(__NR_##name, 6), MPIN_LOAD(args[argument]), MPIN_UNLESS(value, 3),             \
        MPIN_LOAD(args[other]), MPIN_UNLESS(its_value, 1), MPIN_RETURN(MPIN_PASS), MPIN_LOAD(nr)
/// Lets the call fail unless an argument has this value.
#define MPIN_NEED(name, argument, value, code)                                                 \
    MPIN_UNLESS(__NR_##name, 4), MPIN_LOAD(args[argument]),                                    \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 1, 0), MPIN_RETURN(MPIN_ERRNO(code)), MPIN_LOAD(nr)
/// Lets the call fail unless a pointer is NULL.
#define MPIN_NEED_NULL(name, argument, code)                                                   \
    MPIN_UNLESS(__NR_##name, 6), MPIN_LOAD(args[argument]), MPIN_UNLESS(0, 2),                 \
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[argument]) + 4), \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),                                          \
        MPIN_RETURN(MPIN_ERRNO(code)), MPIN_LOAD(nr)

/// Kills a process that calls from another architecture.
#define MPIN_BEGIN                                                                             \
    MPIN_LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MPIN_AUDIT_ARCH, 1, 0),               \
        MPIN_RETURN(MPIN_KILL), MPIN_LOAD(nr),                                                 \
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, MPIN_FOREIGN_CALLS, 0, 1), MPIN_RETURN(MPIN_KILL)
#define MPIN_WRITING (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND)
#define MPIN_PROCESSES                                                                         \
    MPIN_CALL(execve, MPIN_KILL), MPIN_CALL(execveat, MPIN_KILL), MPIN_CALL(clone, MPIN_KILL), \
        MPIN_CALL(clone3, MPIN_KILL), MPIN_CALL(ptrace, MPIN_KILL),                            \
        MPIN_CALL(process_vm_readv, MPIN_KILL), MPIN_CALL(process_vm_writev, MPIN_KILL)
/// A descriptor's owner gets signals (F_SETOWN, F_SETSIG, O_ASYNC), so only these commands are allowed, and
/// of the flags only O_NONBLOCK changes.
#define MPIN_DESCRIPTORS                                                                       \
    MPIN_ALLOW_IF(fcntl, 1, F_GETFD), MPIN_ALLOW_IF(fcntl, 1, F_SETFD),                        \
        MPIN_ALLOW_IF(fcntl, 1, F_GETFL), MPIN_ALLOW_IF(fcntl, 1, F_DUPFD_CLOEXEC),            \
        MPIN_NEED(fcntl, 1, F_SETFL, EPERM),                                                   \
        MPIN_BITS(fcntl, 2, ~(O_ACCMODE | O_NONBLOCK | 0100000 /* O_LARGEFILE */), MPIN_ERRNO(EPERM)), \
        MPIN_ALLOW(fcntl), MPIN_ALLOW(close), MPIN_ALLOW(eventfd2),                            \
        MPIN_ALLOW_IF(socketpair, 0, AF_UNIX)
#define MPIN_FUTEX(operation) MPIN_ALLOW_IF(futex, 1, (operation) | FUTEX_PRIVATE_FLAG)
/// What both processes need of memory, time, randomness, their own ids, signals, and their end. Memory is
/// this process's own, and the kernel lets no two processes wait for one another.
#define MPIN_COMMON                                                                            \
    MPIN_BITS(mremap, 3, ~1 /* MREMAP_MAYMOVE */, MPIN_ERRNO(EPERM)), MPIN_ALLOW(mremap),      \
        MPIN_ALLOW_IF(madvise, 2, 4 /* MADV_DONTNEED */),                                      \
        MPIN_ALLOW_IF(madvise, 2, 8 /* MADV_FREE */),                                          \
        MPIN_ALLOW_IF(madvise, 2, 16 /* MADV_DONTDUMP */),                                     \
        MPIN_ALLOW_IF(madvise, 2, 18 /* MADV_WIPEONFORK */), MPIN_CALL(madvise, MPIN_ERRNO(EINVAL)), \
        MPIN_FUTEX(FUTEX_WAIT), MPIN_FUTEX(FUTEX_WAKE), MPIN_FUTEX(FUTEX_WAKE_BITSET),         \
        MPIN_FUTEX(FUTEX_WAIT_BITSET), MPIN_FUTEX(FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME),   \
        MPIN_BITS(mprotect, 2, PROT_EXEC, MPIN_KILL), MPIN_ALLOW(mprotect),                    \
        MPIN_CALL(pkey_mprotect, MPIN_KILL), MPIN_ALLOW(munmap), MPIN_ALLOW(brk),              \
        MPIN_ALLOW(clock_gettime), MPIN_ALLOW(clock_getres), MPIN_ALLOW(gettimeofday),         \
        MPIN_ALLOW(clock_nanosleep), MPIN_ALLOW(nanosleep), MPIN_ALLOW(getrandom),             \
        MPIN_ALLOW(getpid), MPIN_ALLOW(gettid), MPIN_ALLOW(getuid), MPIN_ALLOW(geteuid),       \
        MPIN_ALLOW(getgid), MPIN_ALLOW(getegid), MPIN_ALLOW(sched_yield),                      \
        MPIN_ALLOW(rt_sigaction), MPIN_ALLOW(rt_sigprocmask), MPIN_ALLOW(rt_sigreturn),        \
        MPIN_ALLOW(sigaltstack), MPIN_ALLOW(restart_syscall), MPIN_ALLOW(exit),                \
        MPIN_ALLOW(exit_group), MPIN_ALLOW(read), MPIN_ALLOW(readv), MPIN_ALLOW(recvfrom),     \
        MPIN_ALLOW(write), MPIN_ALLOW(writev), MPIN_ALLOW(connect), MPIN_ALLOW(shutdown),      \
        MPIN_ALLOW(getsockname), MPIN_ALLOW(getpeername), MPIN_ALLOW(ppoll), MPIN_ALLOW(pselect6)
/// System calls that exist only on x86-64, the older architecture. The lists end with a comma.
#ifdef __x86_64__
#define MPIN_OLDER                                                                             \
    MPIN_CALL(creat, MPIN_KILL), MPIN_CALL(fork, MPIN_KILL), MPIN_CALL(vfork, MPIN_KILL),      \
        MPIN_ALLOW(poll), MPIN_ALLOW(select), MPIN_ALLOW(time),
#define MPIN_OLDER_OPEN(otherwise) MPIN_BITS(open, 1, MPIN_WRITING, MPIN_KILL), MPIN_CALL(open, otherwise),
#define MPIN_OLDER_FILES MPIN_ALLOW(stat), MPIN_ALLOW(lstat), MPIN_ALLOW(access), MPIN_ALLOW(readlink),
#else
#define MPIN_OLDER
#define MPIN_OLDER_OPEN(otherwise)
#define MPIN_OLDER_FILES
#endif
/// Opening a file to write is an attack and kills the process.
#define MPIN_FILES(otherwise)                                                                  \
    MPIN_OLDER_OPEN(otherwise) MPIN_BITS(openat, 2, MPIN_WRITING, MPIN_KILL),                  \
        MPIN_CALL(openat, otherwise), MPIN_CALL(openat2, MPIN_KILL)

/// Installs a filter for every thread; it cannot be removed. Returns 0, or not 0 after an error.
static inline int mpin_install(struct sock_filter *program, size_t count) {
    struct sock_fprog filter = {(unsigned short)count, program};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
}

/// Installs the relay's filter. An attempt to start a process or a program, write a file, read another
/// process's memory or make memory executable kills this process. Opening a file to read fails with EACCES,
/// because libraries look for optional files. A system call that is not named here fails with ENOSYS, so that
/// a newer libc falls back to older calls. Returns 0, or not 0 after an error.
/// - Parameter with_unix: whether a server is on a Unix socket; otherwise there are new sockets of TCP only.
static inline int mpin_sandbox(int with_unix) {
    struct sock_filter program[] = {
        MPIN_BEGIN, MPIN_PROCESSES, MPIN_FILES(MPIN_ERRNO(EACCES)), MPIN_DESCRIPTORS, MPIN_COMMON, MPIN_OLDER
        // Memory that belongs to this process, without code.
        MPIN_BITS(mmap, 2, PROT_EXEC, MPIN_KILL), MPIN_BITS(mmap, 3, MAP_SHARED, MPIN_ERRNO(EPERM)),
        MPIN_ALLOW(mmap),
        // Sockets of TCP, and Unix sockets of the same type.
        MPIN_BITS(socket, 1, ~(SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC), MPIN_ERRNO(EAFNOSUPPORT)),
        MPIN_BITS(socket, 2, ~IPPROTO_TCP, MPIN_ERRNO(EAFNOSUPPORT)), MPIN_ALLOW_IF(socket, 0, AF_INET),
        MPIN_ALLOW_IF(socket, 0, AF_INET6), MPIN_ALLOW_IF(socket, 0, with_unix ? AF_UNIX : AF_INET),
        MPIN_CALL(socket, MPIN_ERRNO(EAFNOSUPPORT)), MPIN_NEED_NULL(sendto, 4, EPERM), MPIN_ALLOW(sendto),
        MPIN_ALLOW_BOTH(setsockopt, 1, IPPROTO_TCP, 2, TCP_NODELAY),
        MPIN_CALL(setsockopt, MPIN_ERRNO(ENOPROTOOPT)),
        MPIN_ALLOW_BOTH(getsockopt, 1, SOL_SOCKET, 2, SO_ERROR),
        MPIN_ALLOW_BOTH(getsockopt, 1, SOL_SOCKET, 2, SO_PEERCRED),
        MPIN_CALL(getsockopt, MPIN_ERRNO(ENOPROTOOPT)),
        MPIN_RETURN(MPIN_ERRNO(ENOSYS)),
    };
    return mpin_install(program, sizeof program / sizeof program[0]);
}

/// Installs the filter of the process that asks name servers. It reads files, among them libraries of the
/// system's resolver, and speaks with name servers, with local services and, about its own addresses, with
/// the kernel. Otherwise it may do as little as the relay. Returns 0, or not 0 after an error.
static inline int mpin_sandbox_lookup(void) {
    struct sock_filter program[] = {
        MPIN_BEGIN, MPIN_CALL(clone, MPIN_ERRNO(EPERM)), MPIN_CALL(clone3, MPIN_ERRNO(ENOSYS)),
        MPIN_PROCESSES,
        MPIN_FILES(MPIN_PASS), MPIN_DESCRIPTORS, MPIN_COMMON, MPIN_OLDER MPIN_OLDER_FILES
        MPIN_ALLOW(fstat), MPIN_ALLOW(newfstatat), MPIN_ALLOW(statx), MPIN_ALLOW(faccessat),
        MPIN_ALLOW(faccessat2), MPIN_ALLOW(readlinkat), MPIN_ALLOW(getdents64), MPIN_ALLOW(lseek),
        MPIN_ALLOW(pread64), MPIN_ALLOW(uname), MPIN_ALLOW(sysinfo), MPIN_ALLOW(sched_getaffinity),
        MPIN_NEED(prlimit64, 0, 0, EPERM), MPIN_NEED_NULL(prlimit64, 2, EPERM), MPIN_ALLOW(prlimit64),
        // Code comes only from files.
        MPIN_UNLESS(__NR_mmap, 6), MPIN_LOAD(args[2]), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 3),
        MPIN_LOAD(args[3]), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_ANONYMOUS, 0, 1), MPIN_RETURN(MPIN_KILL),
        MPIN_LOAD(nr), MPIN_ALLOW(mmap),
        MPIN_ALLOW_BOTH(socket, 0, AF_NETLINK, 2, 0 /* NETLINK_ROUTE */),
        MPIN_BITS(socket, 2, ~(IPPROTO_TCP | IPPROTO_UDP), MPIN_ERRNO(EAFNOSUPPORT)),
        MPIN_ALLOW_IF(socket, 0, AF_INET), MPIN_ALLOW_IF(socket, 0, AF_INET6),
        MPIN_ALLOW_IF(socket, 0, AF_UNIX), MPIN_CALL(socket, MPIN_ERRNO(EAFNOSUPPORT)),
        MPIN_NEED(bind, 2, 12 /* struct sockaddr_nl */, EPERM), MPIN_ALLOW(bind), MPIN_ALLOW(sendto),
        MPIN_ALLOW(sendmsg), MPIN_ALLOW(sendmmsg), MPIN_ALLOW(recvmsg), MPIN_ALLOW(recvmmsg),
        MPIN_ALLOW(getsockopt), MPIN_ALLOW_IF(ioctl, 1, FIONREAD),
        MPIN_ALLOW_BOTH(setsockopt, 1, IPPROTO_IP, 2, IP_RECVERR),
        MPIN_ALLOW_BOTH(setsockopt, 1, IPPROTO_IPV6, 2, IPV6_RECVERR),
        MPIN_CALL(setsockopt, MPIN_ERRNO(ENOPROTOOPT)),
        MPIN_ALLOW(epoll_create1), MPIN_ALLOW(epoll_ctl), MPIN_ALLOW(epoll_pwait),
        MPIN_RETURN(MPIN_ERRNO(ENOSYS)),
    };
    return mpin_install(program, sizeof program / sizeof program[0]);
}

/// Keeps other processes of the same user from reading this process, and prevents core dumps. Returns 0, or
/// -1.
static inline int mpin_undumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
