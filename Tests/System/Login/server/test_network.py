# SPDX-License-Identifier: Apache-2.0
# How the relay finds its server: names, their addresses, recorded addresses, and who waits for it.
import ctypes
import os
import select
import socket
import struct

from away import DISTANT, SILENT, NameServer, another_machine, no_name_server, no_ports, silent_name_server
from house import CONF, HOST, PUBLIC, Login, run, settings, site
from phones import NAME as SITE, ORIGIN, phones, unasked_front
from proxy import Front
from support import LOG, equal, replaced, within
from test_doctor import RELAY

NAME = "mpind.test"
UNREACHABLE = 0
PR_SET_TIMERSLACK = 29


def status(backend, more=""):
    """A login with the right PIN: the status of the relay's answer."""
    mark = LOG.mark()
    with settings("connect-timeout = 1\n" + more, backend=backend):
        equal(Login("mpin", "alice", site().alice).code, "AUTHINFO_UNAVAIL", backend)
    return int(LOG.record(mark)[1]["status"])


def recorded(*addresses):
    return "".join(f"backend-address = {NAME} {address}\n" for address in addresses)


def reached(server, more=""):
    """A login that finds this server, which answers that it does not have this name."""
    mark = LOG.mark()
    with settings(f"connect-timeout = 10\nca-file = {server.certificate}\n{more}", backend=server.address):
        equal(Login("mpin", "alice", site().alice).code, "SERVICE_ERR")
    equal(LOG.record(mark)[1]["status"], "421")


def test_laptop_without_network():
    """a server without name server, name, route, port or answer is reported as unreachable"""
    with NameServer():
        equal(status(f"https://{NAME}"), UNREACHABLE)
    with no_name_server():
        for more in "", recorded("192.0.2.1"), recorded("192.0.2.1", "2001:db8::1"):
            equal(status(f"https://{NAME}", more), UNREACHABLE)
    with another_machine(), no_name_server():
        for address in DISTANT, SILENT:
            equal(status(f"https://{NAME}:9", recorded(address)), UNREACHABLE)


def test_next_address():
    """a name's next address is tried if the first refuses the connection or does not answer"""
    with another_machine(), Front(PUBLIC, name=NAME) as server:
        with no_name_server():
            for first in DISTANT, SILENT, "2001:db8::1":
                reached(server, recorded(first, "127.0.0.1"))
        for first in DISTANT, SILENT:
            with NameServer(mpind_test=(first, "127.0.0.1")):
                reached(server)


def test_exhausted_udp_ports():
    """while an account holds every UDP port, recorded addresses lead to the server"""
    with NameServer(mpind_test="127.0.0.1") as names, no_ports(socket.SOCK_DGRAM):
        equal(status(f"https://{NAME}"), UNREACHABLE)
        equal(names.asked, 0)
        with Front(PUBLIC, name=NAME) as server:
            reached(server, recorded("127.0.0.1"))


def test_caller_killed_during_a_lookup():
    """a killed caller with lazy timers leaves no relay that asks a silent name server"""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    limit = struct.pack(">I", 600_000)
    fields = b"\4", b"attempt!", f"https://{NAME}".encode(), b"", b"", b"", b"", limit, limit
    with silent_name_server() as asked:
        relay = os.fork()
        if relay == 0:
            ctypes.CDLL(None).prctl(PR_SET_TIMERSLACK, ctypes.c_ulong(1000 * 10**9), 0, 0, 0)
            os.dup2(theirs.fileno(), 3)
            os.closerange(4, 256)
            os.execve(RELAY, ["mpin-relay"], {})
        theirs.close()
        ours.send(b"\1" + b"".join(struct.pack(">H", len(field)) + field for field in fields))
        asked()
        ours.close()
        end = os.pidfd_open(relay)
        try:
            assert select.select([end], [], [], 30)[0], "the relay waits on"
        finally:
            os.kill(relay, 9)
            os.waitpid(relay, 0)
            os.close(end)


def test_recorded_by_commands():
    """mpin host join and mpin setup record the addresses of a backend's name, once"""
    phones()
    line = f"backend-address = {SITE} 127.0.0.1\n"
    with unasked_front() as server:
        more = f"ca-file = {server.certificate}\nmethod = pin\nphone-address = {ORIGIN}/\n"
        with replaced(CONF, f"backend = {ORIGIN}\n{more}"):
            for _ in range(2):
                code = site().mpind.admin("host", "rotate", HOST)["joinCode"]
                run("mpin", "host", "join", HOST, fds={"--code-fd": code + "\n"})
                equal(open(CONF).read(), f"backend = {ORIGIN}\n{line}{more}")
            equal(Login("mpin", "alice", site().alice).code, "SUCCESS")
        with replaced("/etc/pam.d/fresh", "auth required pam_unix.so\naccount required pam_unix.so\n"):
            shown = run("mpin", "setup", "--dry-run", "--no-way-back", "--backend",
                        ORIGIN, "--service", "fresh")
        within(shown, f"+backend = {ORIGIN}\n+{line}")
