# SPDX-License-Identifier: Apache-2.0
# What comes before each test of the page: the site of the login tests, and its host that shows pictures.
import os
import sys

import pytest

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Login"))

from house import site  # noqa: E402
from phone import end, world  # noqa: E402


@pytest.fixture(scope="session", autouse=True)
def driver(sandbox):
    """The browsers' driver ends with the last test."""
    yield
    end()


@pytest.fixture(autouse=True)
def ready(request, log):
    site().ready(request.module.__name__)
    world().ready()
