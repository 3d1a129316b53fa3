# SPDX-License-Identifier: Apache-2.0
# A plugin of pytest: fixtures of the tests that run in the sandbox; a failed test also shows the log.
import os
import signal

import pytest

from support.log import LOG


@pytest.fixture(scope="session")
def sandbox():
    if not os.environ.get("MPIN_IN_SANDBOX"):
        pytest.exit("the tests change accounts and services of the machine; `run` starts them in the sandbox")
    # A shell that starts these tests in the background makes them ignore Ctrl-C: undo that.
    for interrupt in signal.SIGINT, signal.SIGQUIT:
        signal.signal(interrupt, signal.SIG_DFL)
    LOG.open()


@pytest.fixture
def log(request, sandbox):
    """Marks where the part of the log begins that a failure shows."""
    request.node.log_mark = LOG.mark()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    outcome = yield
    if outcome.get_result().failed and hasattr(item, "log_mark"):
        lines = LOG.since(item.log_mark)[-40:]
        outcome.get_result().sections.append(("log", "\n".join(lines)))
