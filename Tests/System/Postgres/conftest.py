# SPDX-License-Identifier: Apache-2.0
# The site of a module's tests.
import pytest

from replicas import Site


@pytest.fixture(scope="module")
def site(programs):
    site = Site(programs)
    yield site
    site.close()
