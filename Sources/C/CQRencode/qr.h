// SPDX-License-Identifier: Apache-2.0
// libqrencode, which makes the QR codes that the phone scans.
#pragma once
#include <qrencode.h>
