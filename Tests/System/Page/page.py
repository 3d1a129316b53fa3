# SPDX-License-Identifier: Apache-2.0
# Runs the page's tests in the sandbox: `page.py [WORD...]`, or what a person waits for: `--bench`.
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(os.path.dirname(HERE), "Login"))

import harness  # noqa: E402
import house  # noqa: E402

if not os.environ.get("MPIN_SANDBOX"):
    sys.exit("page.py changes accounts and services of the machine; `run` starts it in the sandbox")
harness.LOG.open()
import phone  # noqa: E402
for subject in "enrolment", "approval", "states", "attacks", "people", "bind", "library":
    __import__(f"test_page_{subject}")
if sys.argv[1:] == ["--bench"]:
    import bench
    bench.main()
    phone.end()
    sys.exit()
# What the tests here import from those of the logins brings other tests with it.
harness.TESTS[:] = [one for one in harness.TESTS if one.__module__.startswith("test_page_")]
status = harness.run_all(sys.argv[1:], lambda subject: (house.site().ready(subject), phone.world().ready()))
phone.end()
sys.exit(status)
