# SPDX-License-Identifier: Apache-2.0
# The servers of these tests: a real mpind for each set of settings, which the tests with these settings
# share.
import pytest

from daemon import Mpind


class Servers:
    """One mpind for each set of settings, started at its first use."""

    def __init__(self, programs):
        self.programs, self.running = programs, {}

    def having(self, settings):
        key = tuple(sorted(settings.items()))
        if key not in self.running:
            self.running[key] = Mpind(self.programs, **settings)
        return self.running[key]

    def close(self):
        for mpind in self.running.values():
            mpind.close()


@pytest.fixture(scope="session")
def servers(programs):
    servers = Servers(programs)
    yield servers
    servers.close()


@pytest.fixture
def mpind(request, servers):
    """The server that the test's mark describes."""
    mark = request.node.get_closest_marker("mpind")
    return servers.having(mark.kwargs if mark else {})


def pytest_collection_modifyitems(items):
    """The test of an idle connection opens it first and uses it again last; the other tests run meanwhile."""
    items.sort(key=lambda item: {"test_kept_in_mind": 0, "test_kept": 2}.get(item.name, 1))
