# SPDX-License-Identifier: Apache-2.0
# `unavailable = ignore`: a local account cannot make the module believe that the server is unreachable, and a
# network that is really down still lets users past.
import socket
import subprocess
from concurrent import futures

from away import (
    DISTANT, SILENT, NameServer, another_machine, captive_portal, full_queue, no_name_server, no_ports)
from house import CONF, HOST, PUBLIC, Login, as_user, run, settings, site
from phones import NAME as SITE, ORIGIN, phones, unasked_front
from proxy import Front
from support import LOG, equal, replaced, within

IGNORE = "unavailable = ignore\nconnect-timeout = 1\n"
NAME = "mpind.test"
# Statuses of the relay.
SELF_SIGNED, AT_THIS_MACHINE = 7, 16


def status(backend, more="", timeout=60):
    """A login with the right PIN, where only the module decides: the status of the relay's answer, and
    whether the policy `ignore` let the user past."""
    mark = LOG.mark()
    with settings(IGNORE + more, backend=backend):
        login = Login("mpin-or-pass", "alice", site().alice, timeout=timeout)
    pairs = LOG.record(mark)[1]
    equal(login.code, "SUCCESS" if pairs["policy"] == "ignore" else "AUTHINFO_UNAVAIL", backend)
    return int(pairs["status"]), pairs["policy"] == "ignore"


def recorded(*addresses):
    return "".join(f"backend-address = {NAME} {address}\n" for address in addresses)


def test_exhausted_udp_ports():
    """an account that takes every UDP port cannot bypass the module under unavailable = ignore"""
    with NameServer(mpind_test="127.0.0.1") as names, no_ports(socket.SOCK_DGRAM):
        equal(status(f"https://{NAME}"), (1, False))
        equal(names.asked, 0)
        # With a recorded address the server is reached. It answers that it does not have this name.
        with Front(PUBLIC, name=NAME) as server:
            mark = LOG.mark()
            more = recorded("127.0.0.1") + f"ca-file = {server.certificate}\n"
            with settings(IGNORE + more, backend=server.address):
                equal(Login("mpin-or-pass", "alice", site().alice).code, "SERVICE_ERR")
            equal(LOG.record(mark)[1]["status"], "421")
    with NameServer(mpind_test="127.0.0.1"):
        equal(status(f"https://{NAME}:9"), (0, True))


def test_exhausted_tcp_ports():
    """an account that takes every TCP port cannot bypass the module under unavailable = ignore"""
    with another_machine():
        equal(status(f"https://{DISTANT}:9"), (0, True))
        with no_ports(socket.SOCK_STREAM):
            equal(status(f"https://{DISTANT}:9"), (4, False))


def test_full_accept_queue():
    """an account that fills a local server's accept queue cannot bypass the module under unavailable =
    ignore"""
    with full_queue("127.0.0.1") as port:
        equal(status(f"http://127.0.0.1:{port}"), (4, False))
        with NameServer(mpind_test="127.0.0.1"):
            equal(status(f"https://{NAME}:{port}"), (4, False))
        # The next backend is tried, but its failure alone is not enough.
        equal(status(f"http://127.0.0.1:{port}\nbackend = http://127.0.0.1:9"), (4, False))
    with another_machine(), full_queue("198.51.100.1") as port:
        equal(status(f"https://198.51.100.1:{port}"), (4, False))


def past(*limits, service="sudo"):
    """Whether alice's sudo succeeds with a wrong PIN under these limits."""
    done = subprocess.run(
        [*as_user("alice"), "prlimit", *limits, "--", "sudo", "-k", "-S", "id", "-u"], input="Kestrel-0000\n",
        capture_output=True, text=True, timeout=60, errors="replace")
    return done.stdout == "0\n"


def test_exhausted_limits():
    """no limit of descriptors, processes or memory that a user sets for sudo lets them past"""
    passing = "auth required pam_mpin.so\nauth required pam_permit.so\naccount required pam_permit.so\n"
    with replaced("/etc/pam.d/sudo", passing), another_machine():
        with settings(IGNORE, backend=f"https://{DISTANT}:9"):
            assert past(), "the module does not let users past an unreachable server"
        with settings(IGNORE):
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
    """`unavailable` applies on a laptop without network: unknown name, no route, closed port, no answer"""
    with NameServer():
        equal(status(f"https://{NAME}"), (0, True))
    with no_name_server():
        equal(status(f"https://{NAME}"), (1, False))
        for more in recorded("192.0.2.1"), recorded("192.0.2.1", "2001:db8::1"):
            equal(status(f"https://{NAME}", more), (0, True))
    equal(status("https://192.0.2.1"), (0, True))
    with another_machine(), no_name_server():
        for address in DISTANT, SILENT:
            equal(status(f"https://{NAME}:9", recorded(address)), (0, True))
        equal(status(f"https://{NAME}:9", recorded("127.0.0.1", SILENT)), (0, True))


def test_captive_portals():
    """`unavailable` applies to another machine's certificate that cannot be verified, not to this
    machine's"""
    with another_machine(), captive_portal():
        equal(status(f"https://{DISTANT}"), (SELF_SIGNED, True))
        with NameServer(mpind_test=DISTANT):
            equal(status(f"https://{NAME}"), (SELF_SIGNED, True))
        with Front(PUBLIC, name=NAME) as server, NameServer(mpind_test="127.0.0.1"):
            equal(status(server.address), (SELF_SIGNED + AT_THIS_MACHINE, False))
            equal(status(f"https://{DISTANT}\nbackend = {server.address}"),
                  (SELF_SIGNED + AT_THIS_MACHINE, False))


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
