# SPDX-License-Identifier: Apache-2.0
# Runs the test of packaging/debian/tests as Debian's machines do: by itself, on the installed packages.
import os

from machine import apt, packages

apt("install", *packages("now"))
os.execv("/tests/logins", ["/tests/logins"])
