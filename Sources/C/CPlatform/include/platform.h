// SPDX-License-Identifier: Apache-2.0
// The operating system in a form that Swift can call: memory pages for secrets, and wrappers for functions
// that are variadic in C.
#pragma once
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/fsuid.h>
#include <sys/mman.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

// GNU functions that we declare ourselves: with _GNU_SOURCE in this header, its libc declarations would
// differ from those that Swift sees.
int setresuid(uid_t real, uid_t effective, uid_t saved);
int setresgid(gid_t real, gid_t effective, gid_t saved);
int getresuid(uid_t *real, uid_t *effective, uid_t *saved);
int getresgid(gid_t *real, gid_t *effective, gid_t *saved);
int close_range(unsigned first, unsigned last, int flags);

/// Zeroed pages for one secret: locked, left out of core dumps, zeroed in a forked child. NULL if there is no
/// memory. The kernel may refuse to lock them (RLIMIT_MEMLOCK of an ordinary user); they then stay unlocked.
static inline void *mpin_secret_alloc(size_t count) {
    size_t page = 4096, size = count == 0 ? page : (count + page - 1) / page * page;
    if (size < count) return NULL;
    void *base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | 0x20 /* MAP_ANONYMOUS */, -1, 0);
    if (base == MAP_FAILED) return NULL;
    mlock(base, size);
    madvise(base, size, 16 /* MADV_DONTDUMP */);
    madvise(base, size, 18 /* MADV_WIPEONFORK */);
    return base;
}
void explicit_bzero(void *base, size_t count);
static inline void mpin_secret_free(void *base, size_t count) {
    size_t page = 4096, size = count == 0 ? page : (count + page - 1) / page * page;
    explicit_bzero(base, size);
    munmap(base, size);
}

/// Overwrites 32 KiB below the caller's frame, where functions that have returned leave their local values.
/// It is not inlined, so that its own frame is below the caller's.
static inline __attribute__((noinline)) void mpin_clear_stack(void) {
    char below[32 << 10];
    explicit_bzero(below, sizeof below);
}

/// Marks a value that was computed from secrets as public. Only the build of `make ct` does that, for
/// valgrind; otherwise the function returns its argument.
#ifdef MPIN_CONSTANT_TIME_CHECK
#include <valgrind/memcheck.h>
static inline uint64_t mpin_reveal(uint64_t fact) {
    VALGRIND_MAKE_MEM_DEFINED(&fact, sizeof fact);
    return fact;
}
#else
static inline uint64_t mpin_reveal(uint64_t fact) { return fact; }
#endif

/// Returns the same word, but the compiler can no longer reason about its value: it cannot turn a mask back
/// into a branch.
static inline uint64_t mpin_opaque(uint64_t word) {
    __asm__("" : "+r"(word));
    return word;
}

/// `open` with its third argument; `mpin_openat` is the same for `openat`.
static inline int mpin_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }
/// A variable of the process's environment, or NULL if it is not set. `name` ends with a zero octet.
static inline const char *mpin_getenv(const uint8_t *name) { return getenv((const char *)name); }

/// Whether the kernel reports that this program got more rights than the user who started it (setuid).
static inline int mpin_is_secure(void) { return getauxval(AT_SECURE) != 0; }

/// Whether this process has the rights of the real ids with which its program was started, and cannot get
/// others: a program that is setuid to another account than root can take that uid as its real one, and a
/// daemon of root's any. CAP_WAKE_ALARM does not count: systemd gives it to the programs of a desktop.
static inline int mpin_is_ordinary(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
    uid_t user, effective, saved;
    gid_t group, used, kept;
    if (getresuid(&user, &effective, &saved) != 0 || user != effective || user != saved) return 0;
    if (getresgid(&group, &used, &kept) != 0 || group != used || group != kept) return 0;
    if (getauxval(AT_UID) != user || getauxval(AT_GID) != group) return 0;
    if (syscall(SYS_capget, &header, sets) != 0) return 0;
    return sets[0].permitted == 0 && (sets[1].permitted & ~CAP_TO_MASK(CAP_WAKE_ALARM)) == 0;
}

/// Gives this thread, and no other, the rights of a user and groups on files. Returns 0, or -1 if it has not
/// got them.
static inline int mpin_use_files_as(uid_t user, gid_t group, const gid_t *groups, size_t count) {
    // The C library's function would change every thread.
    if (syscall(SYS_setgroups, count, groups) != 0) return -1;
    setfsgid(group);
    setfsuid(user);
    // With an invalid id they only tell the one in force.
    return (gid_t)setfsgid((gid_t)-1) == group && (uid_t)setfsuid((uid_t)-1) == user ? 0 : -1;
}

/// The kernel's major device number of a terminal, if `path` and `descriptor` are the same character device;
/// otherwise -1. `/dev/tty` and `/dev/console` stand for another terminal: then it is that terminal's number.
static inline int mpin_terminal_major(int descriptor, const uint8_t *path) {
    struct stat named, held;
    unsigned device = 0;
    if (stat((const char *)path, &named) != 0 || fstat(descriptor, &held) != 0) return -1;
    if (!S_ISCHR(named.st_mode) || !S_ISCHR(held.st_mode) || named.st_rdev != held.st_rdev) return -1;
    return ioctl(descriptor, TIOCGDEV, &device) == 0 ? (int)(device >> 8 & 0xfff) : -1;
}

/// Reads the size of a terminal. Returns 0, or -1 if the descriptor is not a terminal.
static inline int mpin_terminal_size(int terminal, struct winsize *size) {
    return ioctl(terminal, TIOCGWINSZ, size);
}
static inline int mpin_openat(int folder, const char *name, int flags, mode_t mode) {
    return openat(folder, name, flags, mode);
}
