# SPDX-License-Identifier: Apache-2.0
# The login tests, in the order in which they build on one another: `login.py MARK [WORD...]`, in the sandbox.
import importlib
import os
import sys

import harness

if os.environ.get("MPIN_SANDBOX") != "1":
    sys.exit("login.py changes accounts and services of the machine; `run` starts it in the sandbox")
harness.LOG.open()
for name in ["test_sandbox", "test_logins", "test_sshd", "test_policy"]:
    importlib.import_module(name)
sys.exit(harness.run_all(sys.argv[2:]))
