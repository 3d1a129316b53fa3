// SPDX-License-Identifier: Apache-2.0
// libqrencode, which draws what the phone scans.
#pragma once
#include <qrencode.h>
