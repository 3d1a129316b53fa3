// SPDX-License-Identifier: Apache-2.0
// The entry points of libpam. Only authenticate enters Swift: the others answer here, because a module that
// decided nothing has nothing to say about accounts, sessions or passwords (PAM_IGNORE), and no credentials.
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
