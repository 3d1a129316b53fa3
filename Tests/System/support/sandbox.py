# SPDX-License-Identifier: Apache-2.0
# A plugin of pytest: fixtures of the tests that run in the sandbox, whose log is shown with what fails.
import os
import signal

import pytest

from support.log import LOG


@pytest.fixture(scope="session")
def sandbox():
    if not os.environ.get("MPIN_SANDBOX"):
        pytest.exit("they change accounts and services of the machine; `run` starts them in the sandbox")
    # Whoever starts these tests in the background would have them pass over every Ctrl-C.
    for interrupt in signal.SIGINT, signal.SIGQUIT:
        signal.signal(interrupt, signal.SIG_DFL)
    LOG.open()


@pytest.fixture
def log(request, sandbox):
    """What a failure shows of the log begins here."""
    request.node.log_mark = LOG.mark()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    outcome = yield
    if outcome.get_result().failed and hasattr(item, "log_mark"):
        lines = LOG.since(item.log_mark)[-40:]
        outcome.get_result().sections.append(("log", "\n".join(lines)))
