// SPDX-License-Identifier: Apache-2.0
// What administrators' commands ask of this machine: its programs, its clock, the attributes of its files.
#pragma once
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/timex.h>
#include <unistd.h>

/// Runs a program of the system with nothing of the caller's environment; both its outputs go to `output`.
/// 0, or an error number.
static inline int mpin_spawn(pid_t *process, const char *path, char *const *arguments, int output) {
    char locale[] = "LC_ALL=C", places[] = "PATH=/usr/sbin:/usr/bin:/sbin:/bin";
    char *environment[] = {locale, places, NULL};
    posix_spawn_file_actions_t actions;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure != 0) return failure;
    failure = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (failure == 0) failure = posix_spawn_file_actions_adddup2(&actions, output, 1);
    if (failure == 0) failure = posix_spawn_file_actions_adddup2(&actions, output, 2);
    if (failure == 0) failure = posix_spawn(process, path, &actions, NULL, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

/// Whether the kernel says that something keeps its clock right.
static inline int mpin_clock_is_kept(void) {
    struct timex state = {0};
    return adjtimex(&state) != TIME_ERROR;
}

/// Whether dump(8) and what is like it leave a file out; -1 where the file system has no such attribute.
static inline int mpin_is_left_out(int file) {
    int flags = 0;
    return ioctl(file, FS_IOC_GETFLAGS, &flags) != 0 ? -1 : (flags & FS_NODUMP_FL) != 0;
}
/// 0, or -1.
static inline int mpin_leave_out(int file) {
    int flags = 0;
    if (ioctl(file, FS_IOC_GETFLAGS, &flags) != 0) return -1;
    flags |= FS_NODUMP_FL;
    return ioctl(file, FS_IOC_SETFLAGS, &flags);
}

static inline int mpin_close_on_exec(int file) { return fcntl(file, F_SETFD, FD_CLOEXEC); }
