#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Clients of mpind's TLS port that use TLS in unusual ways: `tls_sessions.py ACT PORT CA [ARGUMENT...]`. Each
# prints one line.
import hashlib
import os
import re
import shutil
import signal
import socket
import ssl
import sys
import time

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

from support import quick  # noqa: E402

PATIENCE = 60
HEAD = re.compile(rb"HTTP/1.1 (\d+).*?content-length: (\d+).*?\r\n\r\n", re.S | re.I)


class Client:
    """A client whose TLS is in memory, so that the caller decides which octets are sent, and when."""

    def __init__(self, port, authority, version=None, session=None, context=None):
        if context is None:
            context = ssl.create_default_context(cafile=authority)
            if version:
                context.minimum_version = context.maximum_version = version
        self.context = context
        self.request = b"GET /status HTTP/1.1\r\nHost: localhost:%d\r\n\r\n" % port
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(
            self.incoming, self.outgoing, server_hostname="localhost", session=session)
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, pieces=None):
        octets = self.outgoing.read()
        for start in range(0, len(octets), pieces or len(octets) or 1):
            self.socket.sendall(octets[start:start + (pieces or len(octets))])

    def drive(self, operation, pieces=None):
        """The result of an operation of TLS; b"" if the server has closed the connection."""
        while True:
            try:
                return operation()
            except ssl.SSLWantReadError:
                self.send(pieces)
                octets = self.socket.recv(65536)
                if not octets:
                    return b""
                self.incoming.write(octets)
            finally:
                self.send(pieces)

    def ask(self, pieces=None):
        self.tls.write(self.request)
        self.send(pieces)
        return self.answer()

    def answer(self):
        """The status of the next answer, which is read to its end; "none" if the connection ends before."""
        answer = b""
        while not (head := HEAD.match(answer)) or len(answer) < head.end() + int(head[2]):
            more = self.drive(lambda: self.tls.read(65536))
            if not more:
                return "none"
            answer += more
        return head[1].decode()

    @property
    def certificate(self):
        return hashlib.sha256(self.tls.getpeercert(binary_form=True)).hexdigest()


def opened(*arguments, pieces=None, **named):
    client = Client(*arguments, **named)
    client.drive(client.tls.do_handshake, pieces)
    return client


def resume(port, authority):
    """For TLS 1.2 and 1.3: the status of a second connection with the ticket of the first, and whether it
    resumed."""
    said = []
    for version in ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3:
        first = opened(port, authority, version)
        first.ask()
        second = opened(port, authority, context=first.context, session=first.tls.session)
        said += [second.ask(), str(second.tls.session_reused)]
    print(*said)


def reload(port, authority, folder, daemon):
    """Changes the certificate. Prints the status of a request on an old connection and of one with an old
    ticket, whether that resumed, and whether each has the certificate of its time."""
    old = opened(port, authority)
    old.ask()
    with open(f"{folder}/next.pem") as file:
        wanted = hashlib.sha256(ssl.PEM_cert_to_DER_cert(file.read())).hexdigest()
    for kind in "pem", "key":
        shutil.copy(f"{folder}/next.{kind}", f"{folder}/server.new")
        os.replace(f"{folder}/server.new", f"{folder}/server.{kind}")
    os.kill(int(daemon), signal.SIGHUP)
    end = time.monotonic() + PATIENCE
    while opened(port, authority).certificate != wanted and time.monotonic() < end:
        time.sleep(0.05)
    new = opened(port, authority, context=old.context, session=old.tls.session)
    is_right = old.certificate != wanted and new.certificate == wanted
    print(old.ask(), new.ask(), new.tls.session_reused, is_right)


def octets(port, authority):
    """A handshake and a request, each octet by itself."""
    print(opened(port, authority, pieces=1).ask(pieces=1))


def half(port, authority):
    """A request, then the end of what this client sends, by TLS and TCP."""
    client = opened(port, authority)
    client.tls.write(client.request)
    try:
        client.tls.unwrap()
    except ssl.SSLWantReadError:
        pass
    client.send()
    client.socket.shutdown(socket.SHUT_WR)
    answer = b""
    while octets := client.socket.recv(65536):
        answer += octets
    # After its own farewell Python's TLS reads no more; an answer is longer than the server's farewell.
    print("answered" if len(answer) > 100 else "none")


def cut(port, authority):
    """Half a request, then the end of TCP alone: somebody may have cut it off. Prints all answers to it, and
    whether one came before the five seconds that mpind waits for a head."""
    answers = set()

    def waited():
        client = opened(port, authority)
        client.tls.write(client.request[:20])
        client.send()
        client.socket.shutdown(socket.SHUT_WR)
        began = time.monotonic()
        answers.add(client.answer())
        return time.monotonic() - began

    is_quick = quick(waited, 3)
    print(*answers, "at once" if is_quick else "late")


def junk(port, authority):
    """What is not TLS: how many of these are closed before the five seconds that a handshake may take."""
    long = b"\x16\x03\x01\x40\x00" + b"\x01\x01\xff\xff" + b"\x03\x03" + bytes(16378)
    kinds = [os.urandom(500), b"\x16\x03\x01\x00\x05hello", b"\x17\x03\x03\x00\x20" + bytes(32),
             b"\x15\x03\x03\x00\x02\x02\x28",
             b"\x80\x2e\x01\x00\x02" + bytes(43), long + long,
             b"\x16\x03\x01\x00\x00" * 40]

    def waited(octets):
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as one:
            began = time.monotonic()
            try:
                one.sendall(octets)
                while one.recv(4096):
                    pass
            except OSError:
                pass
            return time.monotonic() - began

    print(sum(quick(lambda: waited(octets), 3) for octets in kinds), "of", len(kinds))


def main(act, port, *rest):
    acts = {each.__name__: each for each in (resume, reload, octets, half, cut, junk)}
    acts[act](int(port), *rest)


main(*sys.argv[1:])
