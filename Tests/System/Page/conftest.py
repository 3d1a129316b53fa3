# SPDX-License-Identifier: Apache-2.0
# What comes before each test of the page: the site of the login tests, and its host that shows pictures.
import pytest

from house import site
from phone import end, world


@pytest.fixture(scope="session", autouse=True)
def driver(sandbox):
    """The browsers' driver ends with the last test."""
    yield
    end()


@pytest.fixture(autouse=True)
def ready(request, log):
    site().ready(request.module.__name__)
    world().ready()
