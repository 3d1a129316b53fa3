# SPDX-License-Identifier: Apache-2.0
# Sentences that hold or fail, sorted by the flow they belong to, each with the server that it needs.
import time
import traceback

from daemon import Mpind

SENTENCES = []


class Servers:
    """One mpind for each way to set it up, started when it is wanted first."""

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


def sentence(flow, **settings):
    """Registers a function whose docstring is the sentence; it is given the server, if it takes one."""
    def register(function):
        SENTENCES.append((flow, settings, function))
        return function
    return register


def run(programs, flows):
    """Runs the sentences of these flows, and tells how it went: whether all of them hold."""
    servers, passed, failed = Servers(programs), 0, 0
    try:
        for _, settings, function in [entry for entry in SENTENCES if entry[0] in flows]:
            text, started = " ".join(function.__doc__.split()), time.monotonic()
            try:
                function(*[servers.having(settings) for _ in range(function.__code__.co_argcount)])
            except Exception:
                failed += 1
                print(f"FAIL {text}\n    " + traceback.format_exc().replace("\n", "\n    "), flush=True)
            else:
                passed += 1
                print(f"ok   {text} ({time.monotonic() - started:.1f} s)", flush=True)
    finally:
        servers.close()
    print(f"{passed} passed, {failed} failed", flush=True)
    return passed and not failed


def equal(got, wanted, what=""):
    assert got == wanted, f"{what}: got {got!r}, wanted {wanted!r}"


def status(answer, *wanted):
    """The answer, if its status is one of these."""
    assert answer.status in wanted, f"got {answer}, wanted {wanted}"
    return answer


def matching(text, pattern):
    assert pattern.fullmatch(text), f"{text!r} is not {pattern.pattern}"
    return text
