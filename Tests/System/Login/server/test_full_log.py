# SPDX-License-Identifier: Apache-2.0
# A reader of the log that hangs: its socket is open, and its queue is full.
import contextlib
import os
import socket
import time

from house import PASSED, pamtester, settings, site
from support import equal


@contextlib.contextmanager
def hung_log(kind=socket.SOCK_DGRAM):
    """/dev/log belongs to a program that does not read, and holds as much as fits, while the block runs."""
    os.rename("/dev/log", "/dev/log.kept")
    with contextlib.ExitStack() as open_ends:
        reader = open_ends.enter_context(socket.socket(socket.AF_UNIX, kind))
        try:
            reader.bind("/dev/log")
            os.chmod("/dev/log", 0o666)
            if kind == socket.SOCK_STREAM:
                reader.listen(0)
            sent = 1
            while sent:
                # An end has a limit of its own for what it sends.
                sent, end = 0, open_ends.enter_context(socket.socket(socket.AF_UNIX, kind))
                end.setblocking(False)
                with contextlib.suppress(BlockingIOError):
                    end.connect("/dev/log")
                    sent = 1 if kind == socket.SOCK_STREAM else 0
                    while kind == socket.SOCK_DGRAM:
                        sent += end.send(b"<15>nobody reads this")
            yield
        finally:
            if os.path.exists("/dev/log"):
                os.unlink("/dev/log")
            os.rename("/dev/log.kept", "/dev/log")


def timed(*login):
    """The result of a login, and its seconds. pamtester logs nothing itself."""
    start = time.monotonic()
    code, _ = pamtester(*login, timeout=20)
    return code, time.monotonic() - start


def test_a_reader_that_hangs():
    """a log whose reader hangs does not hold up logins, right or wrong: the line is lost after a while"""
    right, wrong = ("mpin", "alice", site().alice + "\n"), ("mpin", "nobody-has-it", "")
    unasked = "mpin-or-pass", "alice", ""
    _, usual = timed(*right)
    for kind in socket.SOCK_DGRAM, socket.SOCK_STREAM:
        with hung_log(kind):
            code, seconds = timed(*right)
            equal(code, PASSED)
            assert seconds < usual + 3, (seconds, usual)
            equal(timed(*wrong)[0], "USER_UNKNOWN")
            with settings("exempt-users = alice\n"):
                equal(timed(*unasked)[0], PASSED)
