# SPDX-License-Identifier: Apache-2.0
# A reader of the log that hangs: its socket or pipe is open, and full.
import contextlib
import fcntl
import os
import socket
import subprocess
import time

from house import PASSED, PUBLIC, listens, pamtester, settings, site
from support import equal, eventually, quick


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


def seconds(*login):
    """The seconds of a login that lets in. pamtester logs nothing itself."""
    start = time.monotonic()
    code, screen = pamtester(*login)
    equal(code, PASSED, screen)
    return time.monotonic() - start


def test_a_reader_that_hangs():
    """a log whose reader hangs does not hold up logins, right or wrong: the line is lost after a while"""
    right, wrong = ("mpin", "alice", site().alice + "\n"), ("mpin", "nobody-has-it", "")
    unasked = "mpin-or-pass", "alice", ""
    usual = seconds(*right)
    for kind in socket.SOCK_DGRAM, socket.SOCK_STREAM:
        with hung_log(kind):
            assert quick(lambda: seconds(*right), usual + 3), usual
            equal(pamtester(*wrong)[0], "USER_UNKNOWN")
            with settings("exempt-users = alice\n"):
                equal(pamtester(*unasked)[0], PASSED)


def test_a_server_whose_log_hangs():
    """a server whose log nobody reads any more goes on serving logins"""
    mpind, login = site().mpind, ("mpin", "alice", site().alice + "\n")
    usual = seconds(*login)
    mpind.stop()
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    os.write(writing, b"x" * 4096)
    mpind.process = subprocess.Popen(["mpind", "serve"], stdin=subprocess.DEVNULL, stderr=writing)
    try:
        eventually(lambda: listens(PUBLIC), "mpind's socket")
        for _ in range(3):
            assert quick(lambda: seconds(*login), usual + 3), usual
    finally:
        os.close(reading)
        os.close(writing)
        mpind.stop()
        mpind.start()
