# SPDX-License-Identifier: Apache-2.0
# The login tests, in the order in which they build on one another: `login.py MARK [WORD...]`, in the sandbox.
import importlib
import os
import signal
import sys

import harness
import house

if os.environ.get("MPIN_SANDBOX") != "1":
    sys.exit("login.py changes accounts and services of the machine; `run` starts it in the sandbox")
# Whoever starts these tests in the background would have them pass over every Ctrl-C.
for interrupt in signal.SIGINT, signal.SIGQUIT:
    signal.signal(interrupt, signal.SIG_DFL)
harness.LOG.open()
SUBJECTS = ["sandbox", "logins", "sshd", "policy", "why", "stacks", "faults", "impostors", "hosts",
            "enrolment", "device", "static", "screens", "secrecy", "phones", "otp", "changes", "own",
            "refusals", "thefts", "sessions", "strangers", "codes", "strikes", "setup", "setup_ssh",
            "setup_faults", "doctor", "neighbours", "demo"]
for subject in SUBJECTS:
    importlib.import_module(f"test_{subject}")
sys.exit(harness.run_all(sys.argv[2:], house.site().unlock))
