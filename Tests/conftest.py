# SPDX-License-Identifier: Apache-2.0
# Set-up of every suite: the report by sentences, the sandbox, and the folder of the built programs.
import os

import pytest

pytest_plugins = ["support.sentences", "support.sandbox"]


def pytest_addoption(parser):
    parser.addoption("--programs", default=".build/release", metavar="FOLDER", help="where mpind is")


@pytest.fixture(scope="session")
def programs(request):
    """The folder of the built programs; a relative path starts at the checkout."""
    return str(request.config.rootpath.parent / request.config.getoption("programs"))
