# SPDX-License-Identifier: Apache-2.0
# A server that dies while another one is there: the login goes to that one, and it costs less than a second.
import contextlib

import pytest

from dying import SECOND, STAGES, Dying
from house import CONF, PUBLIC, Login, site
from phones import NAME, ORIGIN, phones, sudo
from proxy import DiesAfter, Drops, Front
from support import LOG, absent, equal, quick, replaced, within

DYING, HEALTHY = "127.0.0.1", "127.0.0.2"


@contextlib.contextmanager
def name_of(*addresses):
    """The server's name has these addresses while the block runs."""
    with open("/etc/hosts") as file:
        others = [line for line in file if NAME not in line]
    with replaced("/etc/hosts", "".join(others) + "".join(f"{ip} {NAME}\n" for ip in addresses)):
        yield


@contextlib.contextmanager
def host(*lines, backend=ORIGIN, method="pin"):
    """This host asks https servers of that name, while the block runs; one of them is healthy."""
    phones()
    with name_of(DYING, HEALTHY), Front(PUBLIC, name=NAME, port=443, ip=HEALTHY) as healthy:
        said = [f"backend = {backend}", *lines, f"method = {method}", f"ca-file = {healthy.certificate}",
                f"phone-address = {ORIGIN}/", ""]
        with replaced(CONF, "\n".join(said)):
            yield healthy


def seconds():
    """The seconds of a login with the right PIN."""
    login = Login("mpin", "alice", site().alice)
    equal(login.code, "SUCCESS", login.screen)
    return login.seconds


def quickest():
    """The seconds of the quickest of three logins: other work on this machine is no part of them."""
    return min(seconds() for _ in range(3))


@pytest.mark.parametrize("resets", [False, True])
def test_dying_in_a_handshake(resets):
    """an address that ends or resets the connection at any stage of the handshake costs less than a second"""
    with host():
        usual = quickest()
        for stage in STAGES:
            with Dying(DYING, 443, (HEALTHY, 443), stage, resets) as dying:
                assert quick(seconds, usual + 1), stage
                assert dying.killed, stage


@pytest.mark.parametrize("resets", [False, True])
def test_next_backend_after_a_cut(resets):
    """the next backend is tried if the first ends the handshake; if all do, the server is unreachable, not a
    fraud"""
    others = [f"https://{NAME}:{port}" for port in (444, 445)]
    with host(f"backend = {others[1]}", f"backend = {ORIGIN}", backend=others[0]) as healthy:
        first = Dying(DYING, 444, (HEALTHY, 443), 600, resets)
        with first, Dying(DYING, 445, (HEALTHY, 443), SECOND, resets):
            quickest()
    with host(f"backend = {others[1]}", backend=others[0]):
        with Dying(DYING, 444, (HEALTHY, 443), 600, resets), Dying(DYING, 445, (HEALTHY, 443), 1, resets):
            mark = LOG.mark()
            login = Login("mpin", "alice", site().alice)
    equal(login.code, "AUTHINFO_UNAVAIL")
    within(login.screen, "Cannot reach the M-Pin server. Try again later.")
    absent(login.screen, "trusted")
    equal(LOG.record(mark)[1]["status"], "0")


def test_old_tls():
    """a server that speaks TLS 1.1 alone is still not trusted"""
    with host(backend=f"https://{NAME}:446"), Front(PUBLIC, name=NAME, port=446, ip=DYING) as old:
        old.context.maximum_version = old.context.minimum_version = 770  # TLS 1.1
        old.context.set_ciphers("ALL:@SECLEVEL=0")
        within(Login("mpin", "alice", site().alice).screen, "cannot be trusted: it speaks TLS 1.1 or older")


@pytest.mark.parametrize("call", ["pass1", "pass2"])
def test_dying_between_requests(call):
    """a server that dies after an answer: the login goes on at the other one, which has the same database"""
    def beside_death():
        with Front(PUBLIC, DiesAfter(call), name=NAME, port=443, ip=DYING) as dying:
            took = seconds()
            within(dying.calls, f"/rps/{call}")
            return took

    with host():
        # Less than the ten seconds that a call may take.
        assert quick(beside_death, quickest() + 5)


def test_dying_before_an_answer():
    """a proof whose answer is lost is not sent to another server, and the next login goes there"""
    with host() as healthy:
        with Front(PUBLIC, Drops("pass2"), name=NAME, port=443, ip=DYING):
            equal(Login("mpin", "alice", site().alice).code, "AUTHINFO_UNAVAIL")
            absent(healthy.calls, "/rps/pass2")
        quickest()


def test_dying_while_a_phone_is_awaited():
    """the server that opened a session dies, and the approval that the other one took lets in"""
    with host(method="pin phone"):
        with Front(PUBLIC, name=NAME, port=443, ip=DYING) as dying:
            console = sudo("dora")
            assert any("getQrUrl" in call for call in dying.calls), dying.calls
        equal(console.types(phones().dora.approves(console.address)).ends(), ("root", 0))
