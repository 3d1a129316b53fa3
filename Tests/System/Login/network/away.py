# SPDX-License-Identifier: Apache-2.0
# What lies between a host and its server: name servers, a second network, ports, queues.
import contextlib
import socket
import subprocess
import threading

from house import as_user, run
from support import eventually, replaced

RANGE = "/proc/sys/net/ipv4/ip_local_port_range"
NO_SUCH_NAME = 3
# An address of the other machine, which refuses connections to closed ports.
DISTANT = "198.51.100.2"
# An address without a machine: packets are routed there, and no answer comes back.
SILENT = "203.0.113.9"


class NameServer:
    """The only name server of this machine while the block runs; it knows these names and, in this order,
    their addresses."""

    def __init__(self, **names):
        self.names = {name.replace("_", "."): [address] if isinstance(address, str) else address
                      for name, address in names.items()}
        self.asked = 0

    def __enter__(self):
        self.conf = replaced("/etc/resolv.conf", "nameserver 127.0.0.1\noptions timeout:30 attempts:1\n")
        self.conf.__enter__()
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 53))
        self.socket.settimeout(0.1)
        self.serves = True
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.serves = False
        self.thread.join()
        self.socket.close()
        self.conf.__exit__(None, None, None)

    def _serve(self):
        while self.serves:
            try:
                question, sender = self.socket.recvfrom(4096)
            except TimeoutError:
                continue
            self.asked += 1
            with contextlib.suppress(OSError):
                self.socket.sendto(self._answer(question), sender)

    def _answer(self, question):
        labels, at = [], 12
        while question[at]:
            labels.append(question[at + 1:at + 1 + question[at]].decode())
            at += 1 + question[at]
        asked, kind = question[12:at + 5], int.from_bytes(question[at + 1:at + 3], "big")
        addresses = self.names.get(".".join(labels).lower())
        found = addresses or [] if kind == 1 else []
        records = b"".join(bytes.fromhex("c00c000100010000003c0004") + socket.inet_aton(one) for one in found)
        code = 0 if addresses else NO_SUCH_NAME
        counts = b"\0\1" + bytes([0, len(found)]) + bytes(4)
        return question[:2] + bytes([0x81, 0x80 | code]) + counts + asked + records


def no_name_server():
    """No name server answers while the block runs."""
    return replaced("/etc/resolv.conf", "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")


@contextlib.contextmanager
def silent_name_server():
    """The only name server does not answer while the block runs. Gives a function that waits until it was
    asked."""
    conf = replaced("/etc/resolv.conf", "nameserver 127.0.0.1\noptions timeout:30 attempts:5\n")
    with conf, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 53))
        server.settimeout(60)
        yield lambda: server.recv(4096)


@contextlib.contextmanager
def another_machine():
    """A network with another machine in it, while the block runs."""
    run("ip", "netns", "add", "far")
    try:
        run("ip", "link", "add", "near0", "type", "veth", "peer", "name", "far0", "netns", "far")
        run("ip", "addr", "add", "198.51.100.1/24", "dev", "near0")
        run("ip", "link", "set", "near0", "up")
        run("ip", "-n", "far", "addr", "add", f"{DISTANT}/24", "dev", "far0")
        run("ip", "-n", "far", "link", "set", "far0", "up")
        run("ip", "-n", "far", "link", "set", "lo", "up")
        run("ip", "-n", "far", "route", "add", "blackhole", "203.0.113.0/24")
        run("ip", "route", "add", "203.0.113.0/24", "via", DISTANT)
        yield
    finally:
        run("ip", "netns", "del", "far")


@contextlib.contextmanager
def captive_portal():
    """The other machine answers every https connection with its own certificate."""
    key, certificate = "/etc/ssl/portal.key", "/etc/ssl/portal.pem"
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
        "/CN=portal", "-keyout", key, "-out", certificate)
    process = subprocess.Popen(
        ["ip", "netns", "exec", "far", "openssl", "s_server", "-accept", f"{DISTANT}:443", "-www", "-quiet",
         "-key", key, "-cert", certificate], stdin=subprocess.DEVNULL)
    try:
        eventually(lambda: reaches(DISTANT, 443), "the portal")
        yield
    finally:
        process.kill()
        process.wait()


def reaches(address, port):
    with contextlib.suppress(OSError), socket.create_connection((address, port), timeout=1):
        return True


# Runs as an ordinary account: takes every port of the given range and prints how many it got.
TAKES_PORTS = """
import socket, sys
taken = []
for port in range(int(sys.argv[2]), int(sys.argv[3]) + 1):
    for family in socket.AF_INET, socket.AF_INET6:
        try:
            one = socket.socket(family, int(sys.argv[1]))
            if family == socket.AF_INET6:
                one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            one.bind(("", port))
            taken.append(one)
        except OSError:
            pass
print(len(taken), flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def no_ports(kind):
    """bob holds every port of this kind that a program can get, while the block runs. The range is small to
    save time."""
    first, last = 40_000, 40_015
    with replaced(RANGE, f"{first} {last}"):
        holder = subprocess.Popen(
            [*as_user("bob"), "/usr/bin/python3", "-c", TAKES_PORTS, str(int(kind)), str(first), str(last)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            assert int(holder.stdout.readline()) >= last - first + 1
            yield
        finally:
            holder.kill()
            holder.wait()


@contextlib.contextmanager
def full_queue(address):
    """The port of a server at this address whose accept queue bob has filled."""
    listener = socket.socket()
    listener.bind((address, 0))
    listener.listen(0)
    waiting = []
    try:
        # Connections beyond what the queue holds are not answered.
        while len(waiting) < 10:
            one = socket.socket()
            one.settimeout(0.3)
            waiting.append(one)
            try:
                one.connect(listener.getsockname())
            except OSError:
                break
        yield listener.getsockname()[1]
    finally:
        for one in [listener, *waiting]:
            one.close()
