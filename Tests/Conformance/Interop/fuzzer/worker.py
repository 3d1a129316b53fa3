# SPDX-License-Identifier: Apache-2.0
# One of the fuzzer's workers: its requests, one after the other, and the checks of their answers.
import collections
import random
import threading
import time

import framing
from endpoints import ENDPOINTS, PARTY
from mutations import spoil
from support.stream import Closed, Stream
from support.wire import host_name
from world import World

RENEWED = 500
# The longest time for an answer, twice that of one that waits for a browser; then the connection is closed.
PATIENCE = 20
LONGEST_BODY = 65_536
STATUSES = {200, 400, 401, 403, 404, 405, 406, 408, 409, 410, 411, 412, 413, 414, 415, 417, 421, 429, 431}


class Fault(AssertionError):
    """An answer that is not allowed."""


def takes_over(request):
    """Whether a connection may no longer be HTTP after this request, or an answer may be longer than its
    length."""
    named = {name.lower() for name, _ in request.headers}
    return request.method in ("CONNECT", "HEAD") or "upgrade" in named


class Worker(threading.Thread):
    """Everything it does follows from seed, number and the server's answers."""

    def __init__(self, mpind, secrets, seed, number, requests):
        super().__init__(daemon=True)
        party = [mpind.party.rps.address] if mpind.party else []
        self.address = (mpind.addresses + party)[number % len(mpind.addresses + party)]
        self.endpoints = PARTY if self.address in party else ENDPOINTS
        self.seed, self.number, self.requests = seed, number, requests
        self.world = World(mpind, secrets, f"forced-{number}", random.Random(f"{seed}/{number}"))
        self.stream, self.done, self.granted, self.slowest = None, 0, 0, 0
        self.faults, self.statuses = [], collections.Counter()

    def run(self):
        for number in self.requests:
            try:
                if self.done and self.done % RENEWED == 0:
                    self.world.renew()
                octets = b""
                request, octets, framed = self.made(number)
                self.sent(request, octets, framed)
            except Exception as fault:
                self.faults.append((f"{self.number}/{number}", repr(fault), octets))
                self.hangs_up()
                if isinstance(fault, ConnectionRefusedError):
                    return
            self.done += 1

    def made(self, number):
        """The request of this number after it was broken; its octets; and whether HTTP allows them."""
        source = self.world.random = random.Random(f"{self.seed}/{self.number}/{number}")
        request = spoil(source, source.choice(self.endpoints)(self.world))
        body = framing.plain_json(request.body)
        if body and source.random() < 0.15:
            body = framing.broken_json(source, body)
        head = framing.lines(request, host_name(self.address), body)
        if self.endpoints is PARTY and source.random() < 0.2:
            self.world.proved()
        if source.random() < 0.1:
            return request, framing.misframed(source, head, body), False
        return request, framing.whole(head, body), not takes_over(request) and len(body) <= LONGEST_BODY

    def sent(self, request, octets, framed):
        started = time.monotonic()
        if framed:
            status = self.asked(request.method, octets)
            self.granted += status == 200 and request.path == "/mpinAuthenticate"
        else:
            self.misframed(request.method, octets)
        self.slowest = max(self.slowest, time.monotonic() - started)

    def hangs_up(self):
        if self.stream:
            self.stream.close()
        self.stream = None

    def connected(self):
        """Makes sure that a connection is open; whether it is a new one."""
        if self.stream and self.stream.open:
            return False
        self.hangs_up()
        self.stream = Stream(self.address, PATIENCE)
        return True

    def asked(self, method, octets):
        """One answer, on a connection that stays open; if it had ended meanwhile, on a new one."""
        while True:
            new = self.connected()
            self.stream.send(octets)
            try:
                status, body = self.stream.answer(method)
                break
            except Closed as closed:
                if new:
                    raise Fault("no answer") from closed
        self.judge(status, body)
        return status

    def misframed(self, method, octets):
        """Accepts any answers to octets that are half a request, or three; then the end. After HEAD the next
        answer cannot be found: the answer may have a body if the request was not understood."""
        self.connected()
        self.stream.send(octets)
        self.stream.ends()
        try:
            self.judge(*self.stream.answer(method))
            while method != "HEAD":
                self.judge(*self.stream.answer(method))
        except Closed:
            pass
        self.hangs_up()

    def judge(self, status, body):
        self.statuses[status] += 1
        if status not in STATUSES:
            raise Fault(f"{status} {body[:200]!r}")
        self.world.hears(body)
