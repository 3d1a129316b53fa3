// SPDX-License-Identifier: Apache-2.0
// SQLite, mpind's database engine.
#pragma once
#include <sqlite3.h>
