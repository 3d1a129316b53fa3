// SPDX-License-Identifier: Apache-2.0
// Everything is static inline in the header; this line makes SwiftPM notice when it changes.
#include "curl.h"
