# SPDX-License-Identifier: Apache-2.0
# Prepares the site before each login test: the standard settings for each file, and no locks from earlier
# tests.
import pytest

from house import site


def pytest_addoption(parser):
    parser.addoption("--sandbox-mark", metavar="NAME", help="the file that a test leaves in every folder")


@pytest.fixture(autouse=True)
def ready(request, log):
    site().ready(request.module.__name__)
