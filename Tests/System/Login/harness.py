# SPDX-License-Identifier: Apache-2.0
# What the login tests share: sentences that pass or fail, and the log of the sandbox.
import contextlib
import os
import re
import socket
import sys
import threading
import time
import traceback

TESTS = []
HERE = os.path.dirname(os.path.abspath(__file__))
CHECKOUT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
LONG = bool(os.environ.get("MPIN_FUZZ"))


def test(function):
    """Registers a function whose docstring is the sentence that holds."""
    TESTS.append(function)
    return function


def chosen(wanted):
    """What was registered, or what the words choose of it: the whole name of a module, or any part of a
    sentence or a name."""
    for function in TESTS:
        sentence = " ".join(function.__doc__.split())
        if not wanted or any(word == function.__module__ or not word.startswith("test_")
                             and word in sentence + function.__module__ for word in wanted):
            yield sentence, function


def run_all(wanted, before):
    """Runs what the words choose, `before` with its module before each, and tells how it went and what each
    module took."""
    passed = failed = 0
    seconds = {}
    for sentence, function in chosen(wanted):
        started, mark = time.monotonic(), LOG.mark()
        try:
            before(function.__module__)
            function()
        except Exception:
            failed += 1
            print(f"FAIL {sentence}", flush=True)
            print("    " + traceback.format_exc().replace("\n", "\n    "), flush=True)
            for line in LOG.since(mark)[-40:]:
                print(f"    log: {line}", flush=True)
        else:
            passed += 1
            print(f"ok   {sentence} ({time.monotonic() - started:.1f} s)", flush=True)
        took = time.monotonic() - started
        seconds[function.__module__] = seconds.get(function.__module__, 0) + took
    for module, took in seconds.items():
        print(f"took {module} {took:.0f}", flush=True)
    print(f"{passed} passed, {failed} failed", flush=True)
    return 1 if failed or not passed else 0


def equal(got, wanted, what=""):
    assert got == wanted, f"{what}: got {got!r}, wanted {wanted!r}"


def within(text, *parts):
    for part in parts:
        assert part in text, f"{part!r} is not in {text!r}"


def absent(text, *parts):
    for part in parts:
        assert part not in text, f"{part!r} is in {text!r}"


def eventually(condition, what, seconds=60):
    """Waits until `condition` gives something true, and returns it."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < end, f"never came: {what}"
        time.sleep(0.02)


class Log:
    """Receives what the programs of the sandbox say to syslog."""

    def __init__(self):
        self.lines, self.marks = [], 0
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)

    def open(self):
        self.socket.bind("/dev/log")
        os.chmod("/dev/log", 0o666)
        threading.Thread(target=self._receive, daemon=True).start()

    def _receive(self):
        while True:
            self.lines.append(self.socket.recv(65536).decode("latin-1"))

    def mark(self):
        """Where the log stands: what was said before is in it."""
        self.marks += 1
        said = f"<15>mark {self.marks}"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
            end.sendto(said.encode(), "/dev/log")
        eventually(lambda: said in self.lines, "the end of the log")
        return len(self.lines)

    def since(self, mark, containing=""):
        self.mark()
        return [line for line in self.lines[mark:] if containing in line and "<15>" not in line]

    def record(self, mark, containing="pam_mpin"):
        """The last line since `mark` that the module wrote, as its priority and a dictionary of its pairs."""
        lines = eventually(lambda: self.since(mark, containing), f"a log line with {containing}")
        priority = int(re.match(r"<(\d+)>", lines[-1])[1])
        pairs = dict(re.findall(r' ([a-z0-9-]+)="([^"]*)"', lines[-1]))
        return priority & 7, pairs, lines[-1]


LOG = Log()


@contextlib.contextmanager
def replaced(path, text):
    """`path` holds `text` while the block runs, and then what it held before."""
    before = open(path).read() if os.path.exists(path) else None
    with open(path, "w") as file:
        file.write(text)
    try:
        yield
    finally:
        if before is None:
            os.unlink(path)
        else:
            with open(path, "w") as file:
                file.write(before)
