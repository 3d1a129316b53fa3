# SPDX-License-Identifier: Apache-2.0
# What comes before each login test: the site as every subject finds it, without the locks of the test before.
import pytest

from house import site


def pytest_addoption(parser):
    parser.addoption("--sandbox-mark", metavar="NAME", help="what the first test leaves in every folder")


@pytest.fixture(autouse=True)
def ready(request, log):
    site().ready(request.module.__name__)
