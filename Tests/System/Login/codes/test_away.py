# SPDX-License-Identifier: Apache-2.0
# Nobody gets in because the server is away, whoever made it so: not by a wrong PIN, and not by a backup code
# of a revoked account.
import contextlib
import socket
import subprocess
from concurrent import futures

from away import (
    DISTANT, SILENT, NameServer, another_machine, captive_portal, full_queue, no_name_server, no_ports)
from house import CONF, HOST, PUBLIC, Login, as_user, run, settings, site
from phones import NAME as SITE, ORIGIN, phones, unasked_front
from proxy import Front
from support import LOG, equal, replaced, within
from test_codes import new_codes
from test_standing import revoked, standing

NAME = "mpind.test"


def refused(backend, more=""):
    """A login while the server cannot be reached in this way: neither the right PIN of alice nor a right code
    of judy, who is revoked, lets in, although the module alone decides."""
    with settings(f"connect-timeout = 1\nbackup-codes = mpin-or-pass\n{more}", backend=backend):
        mark = LOG.mark()
        equal(Login("mpin-or-pass", "alice", site().alice).code, "AUTHINFO_UNAVAIL", backend)
        within(LOG.record(mark)[2], "unavailable")
        mark = LOG.mark()
        equal(Login("mpin-or-pass", "judy", CODES["judy"]).code, "PERM_DENIED", backend)
        within(LOG.record(mark)[2], "revoked")


# A code that is good at every try, because it lets nobody in.
CODES = {}


@contextlib.contextmanager
def judy():
    """An account that is revoked, and about which this host has asked since."""
    with revoked("judy") as codes:
        CODES["judy"] = codes[0]
        equal(standing()["revoked"], ["judy"])
        yield


def recorded(*addresses):
    return "".join(f"backend-address = {NAME} {address}\n" for address in addresses)


def test_exhausted_udp_ports():
    """an account that takes every UDP port lets nobody in; a recorded address still leads to the server"""
    with judy():
        with NameServer(mpind_test="127.0.0.1"), no_ports(socket.SOCK_DGRAM):
            refused(f"https://{NAME}")
            with Front(PUBLIC, name=NAME) as server:
                mark = LOG.mark()
                more = recorded("127.0.0.1") + f"ca-file = {server.certificate}\n"
                with settings("connect-timeout = 1\n" + more, backend=server.address):
                    # The server answers that it does not have this name.
                    equal(Login("mpin-or-pass", "alice", site().alice).code, "SERVICE_ERR")
                equal(LOG.record(mark)[1]["status"], "421")


def test_exhausted_tcp_ports():
    """an account that takes every TCP port lets nobody in"""
    with judy(), another_machine(), no_ports(socket.SOCK_STREAM):
        refused(f"https://{DISTANT}:9")


def test_full_accept_queue():
    """an account that fills the accept queue of a server, here or at a distance, lets nobody in"""
    with judy():
        with full_queue("127.0.0.1") as port:
            refused(f"http://127.0.0.1:{port}")
            with NameServer(mpind_test="127.0.0.1"):
                refused(f"https://{NAME}:{port}")
            refused(f"http://127.0.0.1:{port}\nbackend = http://127.0.0.1:9")
        with another_machine(), full_queue("198.51.100.1") as port:
            refused(f"https://198.51.100.1:{port}")


def test_address_by_route():
    """an address that is local by a route alone, at which an account listens, lets nobody in"""
    route = "local", "192.0.2.64/26", "dev", "lo"
    run("ip", "route", "add", *route)
    try:
        with judy(), full_queue("192.0.2.65") as port:
            refused(f"https://192.0.2.65:{port}")
            refused(f"https://192.0.2.66:{port}")
    finally:
        run("ip", "route", "del", *route)


def past(*limits, service="sudo"):
    """Whether alice's sudo succeeds with a wrong PIN under these limits."""
    done = subprocess.run(
        [*as_user("alice"), "prlimit", *limits, "--", "sudo", "-k", "-S", "id", "-u"], input="Kestrel-0000\n",
        capture_output=True, text=True, timeout=60, errors="replace")
    # The module says that it cannot reach the server, on the same stream.
    return "0" in done.stdout.splitlines()


def test_exhausted_limits():
    """no limit of descriptors, processes or memory that a user sets for sudo lets them past"""
    passing = "auth {} pam_mpin.so\nauth required pam_permit.so\naccount required pam_permit.so\n"
    with replaced("/etc/pam.d/sudo", passing.format("[success=ok authinfo_unavail=ignore default=die]")):
        with settings(backend="unix:/run/mpind/absent"):
            assert past(), "the stack lets users past a server that is away"
    with replaced("/etc/pam.d/sudo", passing.format("required")), settings():
        limits = [
            *(f"--nofile={count}:{count}" for count in (3, 4, 5, 6, 7, 8, 9, 10, 12, 16)),
            *(f"--nproc={count}:{count}" for count in (1, 2, 8)),
            *(f"--as={size}000000" for size in (20, 24, 28, 32, 40, 50, 80)),
            *(f"--data={size}000000" for size in (1, 2, 4, 8)), "--fsize=0", "--cpu=1",
        ]
        # In parallel, because each refusal is followed by a pause of two seconds.
        with futures.ThreadPoolExecutor(len(limits)) as pool:
            equal([limit for limit, got in zip(limits, pool.map(past, limits)) if got], [])


def test_laptop_without_network():
    """without a network nobody gets in by a PIN: unknown name, no route, closed port, no answer"""
    with judy():
        with NameServer():
            refused(f"https://{NAME}")
        with no_name_server():
            for more in "", recorded("192.0.2.1"), recorded("192.0.2.1", "2001:db8::1"):
                refused(f"https://{NAME}", more)
        refused("https://192.0.2.1")
        with another_machine(), no_name_server():
            for addresses in (DISTANT,), (SILENT,), ("127.0.0.1", SILENT):
                refused(f"https://{NAME}:9", recorded(*addresses))


def test_captive_portals():
    """a certificate that cannot be verified, of another machine or of this one, lets nobody in"""
    with judy(), another_machine(), captive_portal():
        refused(f"https://{DISTANT}")
        with NameServer(mpind_test=DISTANT):
            refused(f"https://{NAME}")
        with Front(PUBLIC, name=NAME) as server, NameServer(mpind_test="127.0.0.1"):
            refused(server.address)
            refused(f"https://{DISTANT}\nbackend = {server.address}")


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
