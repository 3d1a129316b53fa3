// SPDX-License-Identifier: Apache-2.0
// All functions of these headers are static inline; these includes make SwiftPM notice changes to them.
#include "host.h"
#include "platform.h"
#include "process.h"
#include "sandbox.h"
