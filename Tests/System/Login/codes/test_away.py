# SPDX-License-Identifier: Apache-2.0
# Nobody gets in because the server is away, whoever made it so: not by a wrong PIN, and not by a backup code
# of a revoked account.
import contextlib
import socket
import subprocess
from concurrent import futures

from away import DISTANT, NameServer, another_machine, captive_portal, full_queue, no_ports
from house import PUBLIC, Login, as_user, run, settings, site
from proxy import Front
from support import LOG, equal, replaced, within
from test_standing import revoked, standing

NAME = "mpind.test"


def refused(backend, more=""):
    """A login while the server cannot be reached in this way: neither the right PIN of alice nor a right code
    of rita, who is revoked, lets in, although the module alone decides."""
    with settings(f"connect-timeout = 1\nbackup-codes = mpin-or-pass\n{more}", backend=backend):
        mark = LOG.mark()
        equal(Login("mpin-or-pass", "alice", site().alice).code, "AUTHINFO_UNAVAIL", backend)
        within(LOG.record(mark)[2], "unavailable")
        mark = LOG.mark()
        equal(Login("mpin-or-pass", "rita", CODES["rita"]).code, "PERM_DENIED", backend)
        within(LOG.record(mark)[2], "revoked")


# A code that is good at every try, because it lets nobody in.
CODES = {}


@contextlib.contextmanager
def rita():
    """An account that is revoked, and about which this host has asked since."""
    with revoked("rita") as codes:
        CODES["rita"] = codes[0]
        within(standing()["revoked"], "rita")
        yield


def test_exhausted_udp_ports():
    """an account that takes every UDP port lets nobody in"""
    with rita(), NameServer(mpind_test="127.0.0.1"), no_ports(socket.SOCK_DGRAM):
        refused(f"https://{NAME}")


def test_exhausted_tcp_ports():
    """an account that takes every TCP port lets nobody in"""
    with rita(), another_machine(), no_ports(socket.SOCK_STREAM):
        refused(f"https://{DISTANT}:9")


def test_full_accept_queue():
    """an account that fills the accept queue of a server, here or at a distance, lets nobody in"""
    with rita():
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
        with rita(), full_queue("192.0.2.65") as port:
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


def test_captive_portals():
    """a certificate that cannot be verified, of another machine or of this one, lets nobody in"""
    with rita(), another_machine(), captive_portal():
        refused(f"https://{DISTANT}")
        with NameServer(mpind_test=DISTANT):
            refused(f"https://{NAME}")
        with Front(PUBLIC, name=NAME) as server, NameServer(mpind_test="127.0.0.1"):
            refused(server.address)
            refused(f"https://{DISTANT}\nbackend = {server.address}")
