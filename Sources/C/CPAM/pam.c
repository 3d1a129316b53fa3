// SPDX-License-Identifier: Apache-2.0
// All functions are static inline in the header; this include makes SwiftPM notice changes to it.
#include "pam.h"
