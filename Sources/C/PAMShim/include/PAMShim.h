// SPDX-License-Identifier: Apache-2.0
// The one Swift function that the shim calls.
#pragma once
struct pam_handle;
int mpin_authenticate(struct pam_handle *handle, int flags, int argc, const char **argv);
