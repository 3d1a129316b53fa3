# SPDX-License-Identifier: Apache-2.0
# How long a connection may take: real sockets, and real seconds.
import select
import threading
import time

import pytest

from support import equal
from support.stream import Stream
from test_framing import asks, head

LIMIT = 5
LATE = 60
# A server that no other test restarts.
ALONE = {"request_otp": "no"}


def whole(mpind):
    return head(mpind, b"GET /status")


def answered(mpind):
    """A connection whose first request is answered."""
    stream = Stream(mpind.addresses[0], LATE)
    stream.send(whole(mpind))
    equal(stream.answer("GET")[0], 200)
    return stream


def closings(streams, begin, drip):
    """The seconds from `begin` after which the server closes each of these; some are sent an octet of `drip`
    at times."""
    left, closed, sent = dict(streams), {}, dict.fromkeys(streams, 0)
    while left and time.monotonic() - begin < LATE:
        ready, _, _ = select.select([stream.socket for stream in left.values()], [], [], 0.2)
        for name, stream in list(left.items()):
            if stream.socket in ready:
                try:
                    equal(stream.socket.recv(1000), b"", name)
                except ConnectionResetError:
                    pass
                closed[name] = time.monotonic() - begin
                stream.close()
                del left[name]
            elif "dripping" in name:
                stream.send(drip[sent[name]:][:1])
                sent[name] += 1
    return closed


class Relay:
    """A relay's connection: it is used once, and again after a minute."""

    def __init__(self, mpind):
        self.stream, self.status, self.again = answered(mpind), None, whole(mpind)
        self.thread = threading.Thread(target=self.asks_later, daemon=True)
        self.thread.start()

    def asks_later(self):
        time.sleep(61)
        self.stream.send(self.again)
        try:
            self.status = self.stream.answer("GET")[0]
        except Exception as error:
            self.status = error


@pytest.fixture(scope="session")
def relay(servers):
    return Relay(servers.having(ALONE))


def test_kept_in_mind(relay):
    """A relay's connection is answered (after a minute it is used again)"""
    assert relay.stream.open


@pytest.mark.mpind(**ALONE)
def test_slow_heads(mpind):
    """A connection ends if a head is not complete five seconds after its first octet, or if no head comes"""
    address = mpind.addresses[0]
    # So long that no dripping one comes to its end before LATE.
    half = head(mpind, b"GET /status", b"X-Long: " + b"x" * 500)[:-4]
    begin = time.monotonic()
    streams = {name: Stream(address, LATE) for name in ("silent", "half", "dripping")}
    streams |= {name: answered(mpind) for name in ("second dripping", "second half")}
    streams["half"].send(half)
    streams["second half"].send(half)
    # Half of the next head comes together with the complete first one.
    glued = Stream(address, LATE)
    glued.send(whole(mpind) + half)
    equal(glued.answer("GET")[0], 200)
    streams["glued"] = glued
    closed = closings(streams, begin, half)
    equal(sorted(closed), sorted(streams))
    for name, seconds in closed.items():
        assert LIMIT - 1 < seconds < LATE, (name, seconds)


@pytest.mark.mpind(**ALONE)
def test_pauses_between_requests(mpind):
    """A connection that was idle longer than a head may take is answered, also with heads in two pieces"""
    stream = answered(mpind)
    time.sleep(LIMIT + 1)
    for _ in range(2):
        octets = whole(mpind)
        stream.send(octets[:7])
        time.sleep(1)
        stream.send(octets[7:])
        equal(stream.answer("GET")[0], 200)
    stream.close()


@pytest.mark.mpind(**ALONE)
def test_long_heads(mpind):
    """A head of more than 16 KiB is refused, one of 15 KiB is not"""
    long = Stream(mpind.addresses[0], LATE)
    for size, status in (15_000, [200]), (17_000, [400]), (100_000, [400]):
        equal(asks(mpind, head(mpind, b"GET /status", b"X-Long: " + b"x" * size)), status, size)
    # And the server does not wait for its end: a connection whose head is late ends without an answer.
    long.send(b"GET /status HTTP/1.1\r\nX-Long: " + b"x" * 16_384)
    equal(long.answer("GET")[0], 400)
    long.close()


@pytest.mark.mpind(**ALONE)
@pytest.mark.parametrize("begin", [
    b"GET /status", b"GET /status HTTP/1.1\r\nX:", b"GET / HTTP/2.0\r\n\r\n", b"CONNECT / HTTP/1.1\r\n\r\n",
    b"POST /rps/codeStatus HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX:"])
def test_blanks_without_end(mpind, begin):
    """A connection that sends blanks without end, where the HTTP parser would keep them, is closed"""
    stream = Stream(mpind.addresses[0], LATE)
    stream.send(begin)
    # After what is not HTTP the server may read on until it closes, but it keeps nothing.
    before, end = mpind.memory("VmHWM"), time.monotonic() + LATE
    with pytest.raises(ConnectionError):
        while time.monotonic() < end:
            stream.socket.send(b" " * 65_536)
    assert mpind.memory("VmHWM") - before < 32_768
    stream.close()


def test_kept(relay):
    """A relay's connection is answered again after an idle minute"""
    relay.thread.join(90)
    equal(relay.status, 200)
