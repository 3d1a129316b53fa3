// SPDX-License-Identifier: Apache-2.0
// libpam as Swift can call it: its variadic functions take text of ours as an argument, never as a format.
#pragma once
#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <syslog.h>

/// `pam_syslog` of one finished line.
static inline void mpin_pam_log(const pam_handle_t *handle, int priority, const char *line) {
    pam_syslog(handle, priority, "%s", line);
}
