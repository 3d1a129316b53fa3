# SPDX-License-Identifier: Apache-2.0
# A plugin of pytest: every test has a sentence, its docstring, printed after `ok` or `FAIL`. The last line
# counts them: `N passed, N failed`. Tests marked `long` run in `make test-long`, or if they are named.
import pytest

from support import LONG


def pytest_addoption(parser):
    parser.addoption("--sentence", action="append", default=[], metavar="WORDS",
                     help="run tests with these words in their sentence or name; may be given several times")


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    # pytest's own output.
    config.pluginmanager.unregister(name="terminalreporter")
    config.pluginmanager.register(Reporter(), "sentences")


def pytest_collection_modifyitems(config, items):
    wanted = config.getoption("sentence")
    if wanted:
        items[:] = [item for item in items
                    if any(words in sentence(item) + " " + item.name for words in wanted)]
    elif not (LONG or config.option.keyword or config.option.collectonly):
        items[:] = [item for item in items if not item.get_closest_marker("long")]


def sentence(item):
    """The docstring in one line, with the values of the parameters that it names."""
    text = " ".join((item.function.__doc__ or item.name).split())
    return text.format(**item.callspec.params) if hasattr(item, "callspec") else text


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    outcome = yield
    outcome.get_result().sentence = sentence(item)


class Reporter:
    """Prints how each test ended, and how long each file took."""

    def __init__(self):
        self.passed = self.failed = 0
        self.seconds, self.reports = {}, []

    def fail(self, sentence, reports):
        self.failed += 1
        print(f"FAIL {sentence}")
        for report in reports:
            print("    " + str(report.longrepr).replace("\n", "\n    "))
            for title, text in report.sections:
                for line in text.splitlines():
                    print(f"    {title}: {line}", flush=True)

    def pytest_collectreport(self, report):
        if report.failed:
            self.fail(f"{report.nodeid} can be read", [report])

    def pytest_keyboard_interrupt(self, excinfo):
        self.failed += 1
        print(f"FAIL the tests come to their end: {excinfo.value!r}", flush=True)

    def pytest_collection_finish(self, session):
        if session.config.option.collectonly:
            for item in session.items:
                print(f"{item.nodeid}: {sentence(item)}", flush=True)

    def pytest_runtest_logreport(self, report):
        """Collects the three reports of a test: setup, call and teardown."""
        self.reports.append(report)
        if report.when != "teardown":
            return
        took = sum(part.duration for part in self.reports)
        failures = [part for part in self.reports if part.failed]
        skipped = any(part.skipped for part in self.reports)
        subject = report.nodeid.partition("::")[0].rpartition("/")[2].removesuffix(".py")
        self.seconds[subject] = self.seconds.get(subject, 0) + took
        self.reports = []
        if failures:
            self.fail(report.sentence, failures)
        elif not skipped:
            self.passed += 1
            print(f"ok   {report.sentence} ({took:.1f} s)", flush=True)

    def pytest_sessionfinish(self, session):
        if not session.config.option.collectonly:
            if not session.items:
                self.failed += 1
                print("FAIL a test has this file, sentence or name")
            for subject, took in self.seconds.items():
                print(f"took {subject} {took:.0f}")
            print(f"{self.passed} passed, {self.failed} failed", flush=True)
