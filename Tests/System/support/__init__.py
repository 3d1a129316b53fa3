# SPDX-License-Identifier: Apache-2.0
# What all Python test suites share: assertions, the files of the checkout, and the log of the sandbox.
import os

from support.assertions import absent, equal, eventually, matching, quick, seconds, status, within
from support.files import CHECKOUT, read, replaced
from support.log import LOG

__all__ = ["CHECKOUT", "LOG", "LONG", "absent", "equal", "eventually", "matching", "quick", "read",
           "replaced", "seconds", "status", "within"]
# Whether the long run was requested.
LONG = bool(os.environ.get("MPIN_FUZZ"))
