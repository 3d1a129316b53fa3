# SPDX-License-Identifier: Apache-2.0
# What every suite has: sentences that hold or fail, the sandbox, and the programs that were built.
import os

import pytest

pytest_plugins = ["support.sentences", "support.sandbox"]


def pytest_addoption(parser):
    parser.addoption("--programs", default=".build/release", metavar="FOLDER", help="where mpind is")


@pytest.fixture(scope="session")
def programs(request):
    """Its folder; a relative one is the checkout's."""
    return str(request.config.rootpath.parent / request.config.getoption("programs"))
