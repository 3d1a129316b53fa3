# SPDX-License-Identifier: Apache-2.0
# Prepares each test of the page: the site of the login tests, with a host that shows QR codes.
import pytest

from house import site
from phone import end, world


@pytest.fixture(scope="session", autouse=True)
def driver(sandbox):
    """Ends the browsers' driver after the last test."""
    yield
    end()


@pytest.fixture(autouse=True)
def ready(request, log):
    site().ready(request.module.__name__)
    world().ready()
