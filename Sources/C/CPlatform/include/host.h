// SPDX-License-Identifier: Apache-2.0
// What the administrators' commands need from this machine: dlopen, its clock, the attributes of its files.
#pragma once
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/timex.h>
#include <unistd.h>

/// Whether the kernel reports that its clock is synchronized.
static inline int mpin_clock_is_kept(void) {
    struct timex state = {0};
    return adjtimex(&state) != TIME_ERROR;
}

/// Whether dump(8) and similar backup programs skip a file; -1 if the file system has no such attribute.
static inline int mpin_is_left_out(int file) {
    int flags = 0;
    return ioctl(file, FS_IOC_GETFLAGS, &flags) != 0 ? -1 : (flags & FS_NODUMP_FL) != 0;
}
/// Sets that attribute. Returns 0, or -1.
static inline int mpin_leave_out(int file) {
    int flags = 0;
    if (ioctl(file, FS_IOC_GETFLAGS, &flags) != 0) return -1;
    flags |= FS_NODUMP_FL;
    return ioctl(file, FS_IOC_SETFLAGS, &flags);
}
