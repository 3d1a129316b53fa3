// SPDX-License-Identifier: Apache-2.0
// The static inline functions of the headers need no file; these lines make SwiftPM notice when one changes.
#include "host.h"
#include "platform.h"
#include "process.h"
#include "sandbox.h"
