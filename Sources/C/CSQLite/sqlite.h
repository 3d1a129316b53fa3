// SPDX-License-Identifier: Apache-2.0
// SQLite, the engine of a backend on one machine.
#pragma once
#include <sqlite3.h>
