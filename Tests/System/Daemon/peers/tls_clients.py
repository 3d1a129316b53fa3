#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Clients of mpind's TLS port, for what is hard in a shell: requests during reloads, slow handshakes.
import gzip
import hashlib
import http.client
import os
import resource
import selectors
import shutil
import signal
import socket
import ssl
import sys
import threading
import time

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

from support.wire import Connection  # noqa: E402

PATIENCE = 60


class Server:
    def __init__(self, port, authority):
        self.port = int(port)
        self.context = ssl.create_default_context(cafile=authority)

    def fingerprint(self):
        with self.http().sock as tls:
            return hashlib.sha256(tls.getpeercert(binary_form=True)).hexdigest()

    def http(self):
        """A connection that is opened only once: when it is lost, the next request fails."""
        one = Connection(f"127.0.0.1:{self.port}", timeout=PATIENCE, trust=self.context)
        one.connect()
        one.auto_open = 0
        return one


def ask(connection):
    connection.request("GET", "/status")
    answer = connection.getresponse()
    answer.read()
    return answer.status == 200


class Load:
    def __init__(self, server):
        self.server, self.requests, self.failures = server, 0, []
        self.lock, self.enough = threading.Lock(), threading.Event()

    def count(self, request):
        try:
            failure = None if request() else "status"
        except (OSError, http.client.HTTPException) as error:
            failure = repr(error)
        with self.lock:
            self.requests += 1
            if failure:
                self.failures.append(failure)
        return not failure

    def wait(self, count):
        """Waits for so many further requests, or for a failure."""
        end, goal = time.monotonic() + PATIENCE, self.requests + count
        while self.requests < goal and not self.failures and time.monotonic() < end:
            time.sleep(0.01)

    def keep(self):
        one = self.server.http()
        while not self.enough.is_set() and self.count(lambda: ask(one)):
            time.sleep(0.005)

    def renew(self):
        def request():
            one = self.server.http()
            try:
                return ask(one)
            finally:
                one.close()

        while not self.enough.is_set():
            self.count(request)


def load(server, folder, daemon):
    """Changes the certificate six times, with four clients that keep their connections and two that make new
    ones."""
    load = Load(server)
    clients = [threading.Thread(target=kind) for kind in [load.keep] * 4 + [load.renew] * 2]
    for client in clients:
        client.start()
    load.wait(60)
    rotations = 0
    for name in ["next", "good"] * 3:
        with open(f"{folder}/{name}.pem") as file:
            wanted = hashlib.sha256(ssl.PEM_cert_to_DER_cert(file.read())).hexdigest()
        for kind in ["pem", "key"]:
            shutil.copy(f"{folder}/{name}.{kind}", f"{folder}/server.new")
            os.replace(f"{folder}/server.new", f"{folder}/server.{kind}")
        os.kill(int(daemon), signal.SIGHUP)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if server.fingerprint() == wanted:
                rotations += 1
                break
            time.sleep(0.02)
        load.wait(50)
    load.enough.set()
    for client in clients:
        client.join()
    for failure in load.failures[:5]:
        print(failure, file=sys.stderr)
    print(load.requests, len(load.failures), rotations)


def page(server, folder, daemon):
    """Four new versions of the phone page, and clients that request it all the time. An answer must match its
    validator and be one of the versions; after a new version the old one must not come again."""
    load, names, newest = Load(server), ["index.html", "page.js"], [0]

    def fetch(connection, name, coding):
        least = newest[0]
        connection.request("GET", "/" + name, headers={"Accept-Encoding": coding})
        answer = connection.getresponse()
        body = answer.read()
        digest = hashlib.sha256(body).hexdigest()
        if answer.status != 200 or answer.headers["ETag"] != f'"{digest}"':
            return None
        body = gzip.decompress(body) if answer.headers["Content-Encoding"] == "gzip" else body
        version = int(body.split(b"version ")[1].split()[0]) if b"version " in body else 0
        return version if version >= least else None

    def keep(number):
        one = server.http()
        while not load.enough.is_set():
            coding = ["identity", "gzip"][number // 2]
            if not load.count(lambda: fetch(one, names[number % 2], coding) is not None):
                return
            time.sleep(0.002)

    clients = [threading.Thread(target=keep, args=(number,)) for number in range(4)]
    for client in clients:
        client.start()
    for version in range(1, 5):
        for name in names:
            text = f"<!-- version {version} -->\n" + "x" * 40000
            for end, octets in ("", text.encode()), (".gz", gzip.compress(text.encode())):
                with open(f"{folder}/{name}{end}.new", "wb") as file:
                    file.write(octets)
                os.replace(f"{folder}/{name}{end}.new", f"{folder}/{name}{end}")
        os.kill(int(daemon), signal.SIGHUP)
        one, end = server.http(), time.monotonic() + PATIENCE
        while fetch(one, "index.html", "identity") != version and time.monotonic() < end:
            time.sleep(0.01)
        one.close()
        if time.monotonic() < end:
            newest[0] = version
        load.wait(60)
    load.enough.set()
    for client in clients:
        client.join()
    for failure in load.failures[:5]:
        print(failure, file=sys.stderr)
    print(load.requests, len(load.failures), newest[0])


def hello(server):
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = server.context.wrap_bio(incoming, outgoing, server_hostname="localhost")
    try:
        tls.do_handshake()
    except ssl.SSLWantReadError:
        pass
    octets = outgoing.read()
    return octets[: len(octets) // 2]


def most(seconds):
    """What nine of ten of these do not exceed."""
    return sorted(seconds)[len(seconds) * 9 // 10]


def slow(server, octets):
    """Prints what a crowd of slow handshakes met. Other work on this machine only makes this worse, so the
    first of ten crowds that is as it should be shows it."""
    for _ in range(10):
        held, closed, last, honest = crowd(server, octets)
        if held >= 20 and last < 7 and honest < 1:
            break
    print(held, closed, f"{last:.2f} {honest:.2f}")


def crowd(server, octets):
    """300 connections from 100 addresses that send only these octets: how many were still open after three
    seconds, how many were closed, when the last one was closed, and how long nine of ten other requests took
    at most."""
    waiting, began = selectors.DefaultSelector(), time.monotonic()
    for number in range(300):
        one = socket.socket()
        one.bind((f"127.0.1.{number % 100 + 1}", 0))
        one.connect(("127.0.0.1", server.port))
        one.sendall(octets)
        waiting.register(one, selectors.EVENT_READ)
    held, last, honest, next_request = None, 0.0, [], 0.0
    while waiting.get_map() and time.monotonic() - began < PATIENCE:
        for key, _ in waiting.select(0.05):
            try:
                is_closed = not key.fileobj.recv(4096)
            except OSError:
                is_closed = True
            if is_closed:
                waiting.unregister(key.fileobj)
                key.fileobj.close()
                last = time.monotonic() - began
        now = time.monotonic()
        if held is None and now - began > 3:
            held = len(waiting.get_map())
        if now > next_request:
            one = server.http()
            assert ask(one)
            one.close()
            honest.append(time.monotonic() - now)
            next_request = now + 0.5
    return held or 0, 300 - len(waiting.get_map()), last, most(honest)


def idle(server):
    """Two addresses hold as many connections as they can, each after a full handshake, and make new ones, for
    seven seconds and until there were 400. Prints how many succeeded, and how long nine of ten of the latest
    fifty other requests took at most. If that is a second or more, it may be for other work on this machine,
    and goes on for a minute."""
    made, over = [0], threading.Event()
    most_files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most_files, most_files))

    def grow(address):
        held = []
        while not over.is_set():
            plain = socket.socket()
            plain.settimeout(2)
            try:
                plain.bind((address, 0))
                plain.connect(("127.0.0.1", server.port))
                held.append(server.context.wrap_socket(plain, server_hostname="localhost"))
                made[0] += 1
            except OSError:
                plain.close()
            if len(held) > 200:
                held.pop(0).detach()

    crowds = [threading.Thread(target=grow, args=(f"127.0.2.{number % 2 + 1}",)) for number in range(4)]
    for one in crowds:
        one.start()
    began, honest = time.monotonic(), []

    def is_shown():
        return made[0] >= 400 and honest and most(honest[-50:]) < 1

    while time.monotonic() - began < (7 if is_shown() else PATIENCE):
        start, one = time.monotonic(), server.http()
        assert ask(one)
        one.close()
        honest.append(time.monotonic() - start)
        time.sleep(0.1)
    over.set()
    for one in crowds:
        one.join()
    print(made[0], f"{most(honest[-50:]):.2f}")


def main(act, port, authority, *rest):
    server = Server(port, authority)
    if act == "fingerprint":
        print(server.fingerprint())
    elif act == "load":
        load(server, *rest)
    elif act == "page":
        page(server, *rest)
    elif act == "silent":
        slow(server, b"")
    elif act == "idle":
        idle(server)
    elif act == "half":
        slow(server, hello(server))


main(*sys.argv[1:])
