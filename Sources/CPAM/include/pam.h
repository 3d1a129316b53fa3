// SPDX-License-Identifier: Apache-2.0
// libpam as Swift can call it: variadic functions take text of ours as an argument, never as a format, and
// texts are octets with a zero octet at their end.
#pragma once
#include <security/pam_appl.h>
#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <stddef.h>
#include <stdint.h>
#include <syslog.h>

/// `pam_syslog` of one finished line.
static inline void mpin_pam_log(const pam_handle_t *handle, int priority, const uint8_t *line) {
    pam_syslog(handle, priority, "%s", (const char *)line);
}

/// `pam_prompt` of one finished text: a message of `style` and what was answered, NULL where nothing was.
/// After a failure nothing is handed out: what the application did not free itself is not ours to free.
static inline int mpin_pam_prompt(pam_handle_t *handle, int style, const uint8_t *text, char **answer) {
    char *given = NULL;
    int result = pam_prompt(handle, style, answer == NULL ? NULL : &given, "%s", (const char *)text);
    if (answer != NULL) *answer = result == PAM_SUCCESS ? given : NULL;
    return result;
}

static inline const char *mpin_pam_getenv(pam_handle_t *handle, const uint8_t *name) {
    return pam_getenv(handle, (const char *)name);
}

/// `pam_putenv` of `NAME=value`.
static inline int mpin_pam_putenv(pam_handle_t *handle, const uint8_t *pair) {
    return pam_putenv(handle, (const char *)pair);
}
