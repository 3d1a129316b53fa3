# SPDX-License-Identifier: Apache-2.0
# Runs login tests in the sandbox: `login.py MARK [WORD...]`; a word is the whole name of a file (test_otp),
# or some of the sentences or names that are wanted. No subject builds on another: each runs alone as well.
import importlib
import os
import re
import signal
import sys

import harness
import house

if not os.environ.get("MPIN_SANDBOX"):
    sys.exit("login.py changes accounts and services of the machine; `run` starts it in the sandbox")
# Whoever starts these tests in the background would have them pass over every Ctrl-C.
for interrupt in signal.SIGINT, signal.SIGQUIT:
    signal.signal(interrupt, signal.SIG_DFL)
harness.LOG.open()
SUBJECTS = sorted(file[:-3] for file in os.listdir(harness.HERE) if re.fullmatch("test_.*[.]py", file))
for subject in SUBJECTS:
    importlib.import_module(subject)
sys.exit(harness.run_all(sys.argv[2:], house.site().ready))
