// SPDX-License-Identifier: Apache-2.0
// The static inline functions of the header need no file; this line makes SwiftPM notice when it changes.
#include "platform.h"
