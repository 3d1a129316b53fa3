// SPDX-License-Identifier: Apache-2.0
// The module's entry points for libpam. Only pam_sm_authenticate calls Swift. The others return here: the
// module decides nothing about accounts, sessions or passwords (PAM_IGNORE) and has no credentials to set.
#include "PAMShim.h"
#include <security/pam_modules.h>

int pam_sm_authenticate(pam_handle_t *handle, int flags, int argc, const char **argv) {
    return mpin_authenticate(handle, flags, argc, argv);
}

int pam_sm_setcred(pam_handle_t *handle, int flags, int argc, const char **argv) {
    (void)handle, (void)flags, (void)argc, (void)argv;
    return PAM_SUCCESS;
}

int pam_sm_acct_mgmt(pam_handle_t *handle, int flags, int argc, const char **argv) {
    (void)handle, (void)flags, (void)argc, (void)argv;
    return PAM_IGNORE;
}

int pam_sm_open_session(pam_handle_t *handle, int flags, int argc, const char **argv) {
    (void)handle, (void)flags, (void)argc, (void)argv;
    return PAM_IGNORE;
}

int pam_sm_close_session(pam_handle_t *handle, int flags, int argc, const char **argv) {
    (void)handle, (void)flags, (void)argc, (void)argv;
    return PAM_IGNORE;
}

int pam_sm_chauthtok(pam_handle_t *handle, int flags, int argc, const char **argv) {
    (void)handle, (void)flags, (void)argc, (void)argv;
    return PAM_IGNORE;
}
