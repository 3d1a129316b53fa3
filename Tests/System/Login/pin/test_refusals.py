# SPDX-License-Identifier: Apache-2.0
# Only an approval of this login, by a device of this account, lets in; the log says why others do not.
import contextlib
import functools
import json
import sqlite3
import time

import pexpect

from console import call
from house import as_user, finish, site, spawn
from phones import NUMBER, front, pamtester, phone_settings, phones, sudo
from standin import AUTHENTICATE, SESSION, STANDIN, StandIn, host_key
from support import LOG, absent, equal, seal, within
from test_phones import ssh
from test_sshd import KEY_AND_PIN, Sshd
from vt import Console

# Settings with a relay that the test controls.
WATCHED = f"tries = 4\nrelay = {STANDIN}\n"
NOT_SO = "BCDFGH"
NOT_APPROVED = "Your phone has not approved this login"


def ended(login, code, reason):
    """The login on this console ended with this result, and the log has this reason."""
    screen, _ = login.ends()
    within(screen, code)
    _, pairs, line = LOG.record(login.mark, "pam_mpin")
    within(line, "refused")
    equal(pairs["reason"], reason)


def code_of(standin, login):
    """The approval code of this login as its host computes it, even if its device has not shown it."""
    ask, _ = standin.asked(SESSION)[-1]
    return seal.code_of(seal.number_of(ask), login.wid, host_key())


def counted(device):
    """The wrong tries in a row that mpind has counted for a device."""
    with contextlib.closing(sqlite3.connect("file:/var/lib/mpind/mpind.db?mode=ro", uri=True)) as database:
        query = "SELECT COALESCE(SUM(failures), 0) FROM heads WHERE id = ? AND source = '*'"
        return database.execute(query, [bytes.fromhex(device.id)]).fetchone()[0]


def test_wrong_codes():
    """wrong approval codes are reported at once, not sent and not counted; three end the session"""
    before = counted(phones().dora)
    with front(), phone_settings(WATCHED), StandIn() as standin:
        login = pamtester("dora")
        right = phones().dora.approves(login.address)
        for place in 0, 1, 2:
            other = "C" if right[place].upper() == "B" else "B"
            login.types(right[:place] + other + right[place + 1:])
            if place < 2:
                # What is typed before the next prompt is dropped.
                within(login.waits().screen, "Wrong approval code.")
        ended(login, "Authentication failure", "wrong-approval-code")
        equal(standin.asked(AUTHENTICATE), [])
        login = pamtester("dora")
        login.types(NOT_SO).waits().types(phones().dora.approves(login.address))
        within(login.ends()[0], "successfully authenticated")
    equal(counted(phones().dora), before)


def test_not_approved():
    """the right approval code lets in only after the approval"""
    with front(), phone_settings(WATCHED), StandIn() as standin:
        login = pamtester("dora")
        login.types(code_of(standin, login)).waits()
        within(login.screen, NOT_APPROVED)
        login.types(phones().dora.approves(login.address))
        within(login.ends()[0], "successfully authenticated")
        login = pamtester("dora")
        for _ in range(3):
            login.types(code_of(standin, login)).waits()
        login.types(code_of(standin, login))
        ended(login, "Authentication failure", "not-approved")


def test_denied():
    """a login that is denied on the device has ended: no code and no later approval saves it"""
    with front(), phone_settings(WATCHED.replace("4", "1")), StandIn() as standin:
        login = pamtester("dora")
        phones().dora.approve(login.address, "--deny")
        within(phones().dora.fails(login.address), "No login of yours waits")
        login.types(code_of(standin, login))
        ended(login, "Authentication failure", "not-approved")


def test_broken_off():
    """an approval that is cancelled on the device approves nothing, and the login can still be approved"""
    with front(), phone_settings(WATCHED), StandIn() as standin:
        login = pamtester("dora")
        device = spawn(*as_user(phones().dora.user), "mpin", "approve", login.address)
        device.expect("PIN, if that is you: ")
        device.waitnoecho()
        device.sendintr()
        within(finish(device)[0], "Nothing was approved.")
        login.types(code_of(standin, login)).waits()
        within(login.screen, NOT_APPROVED)
        login.types(phones().dora.approves(login.address))
        within(login.ends()[0], "successfully authenticated")


def test_expired():
    """a session ends with its login: it can no longer be approved, and an approval becomes useless"""
    with front(), phone_settings(WATCHED + "deadline = 12\n"), StandIn() as standin:
        login = pamtester("dora")
        code = phones().dora.approves(login.address)
        time.sleep(13)
        login.types(code)
        screen, _ = login.ends()
        absent(screen, "successfully")
        equal(LOG.record(login.mark, "pam_mpin")[1]["reason"], "deadline")
        ask, _ = standin.asked(SESSION)[-1]
        assert call("/mpinAuthenticate", {"A": seal.number_of(ask).hex()})[0] != 200
        login = pamtester("dora")
        time.sleep(13)
        within(phones().dora.fails(login.address), "No login of yours waits")
        within(phones().dora.fails(login.number), "No login of yours waits")
        login.closes()


def test_devices_of_others():
    """devices of a stranger or of another account here can neither approve nor deny; the owner's can"""
    with front(), phone_settings("tries = 4"):
        login = pamtester("dora")
        for device in phones().mallory, phones().erin:
            for code in login.address, login.number:
                within(device.fails(code), "No login of yours waits")
            within(device.fails(login.address, "--deny"), "No login of yours waits")
        login.types(phones().dora.approves(login.address))
        within(login.ends()[0], "successfully authenticated")


def test_code_of_another_session():
    """the approval code of one login is wrong in another login of the same user"""
    with front(), phone_settings("tries = 4"):
        one, other = pamtester("dora"), pamtester("dora")
        code = phones().dora.approves(one.address)
        other.types(code).waits()
        within(other.screen, "Wrong approval code.")
        one.types(code)
        within(one.ends()[0], "successfully authenticated")
        other.types(phones().dora.approves(other.address))
        within(other.ends()[0], "successfully authenticated")


def test_replays():
    """a message that a device or a console sent once is refused when it is sent again"""
    with front() as proxy, phone_settings(WATCHED), StandIn() as standin:
        login = pamtester("dora")
        code = phones().dora.approves(login.address)
        sent = proxy.bodies["/rps/authenticate"][-1]
        for _ in range(2):
            status, answer = call("/rps/authenticate", json.loads(sent))
            assert status != 200 and "code" not in answer, (status, answer)
        login.types(code)
        within(login.ends()[0], "successfully authenticated")
        ask, tag = standin.asked(SESSION)[-1]
        status, answer = call("/mpinAuthenticate", {"A": seal.number_of(ask).hex()})
        assert status != 200, (status, answer)
        assert call("/rps/getQrUrl", {"ask": ask.hex(), "askTag": tag.hex()})[0] != 200
        # And the device's proof for that login does not open another.
        other = pamtester("dora")
        for path in "/rps/pass2", "/rps/authenticate":
            stale = {**json.loads(proxy.bodies[path][-1])}
            if "WID" in stale:
                stale["WID"] = other.wid
            call(path, stale)
        other.types(code_of(standin, other)).waits()
        within(other.screen, NOT_APPROVED)
        other.closes()


def test_wrong_pin_on_the_device():
    """a wrong PIN on the device approves nothing and shows no approval code"""
    with front(), phone_settings(WATCHED), StandIn() as standin:
        login = pamtester("dora")
        before = counted(phones().dora)
        within(phones().dora.fails(login.address, pin="Osprey-28"), "Wrong PIN")
        equal(counted(phones().dora), before + 1)
        login.types(code_of(standin, login)).waits()
        within(login.screen, NOT_APPROVED)
        login.types(phones().dora.approves(login.address))
        within(login.ends()[0], "successfully authenticated")


def test_revoked_in_between():
    """a user who is revoked between approval and code is not let in"""
    phone = phones().new("frida")
    with front(), phone_settings("tries = 4"):
        login = pamtester("frida")
        code = phone.approves(login.address)
        site().mpind.admin("user", "revoke", phone.identity)
        login.types(code)
        absent(login.ends()[0], "successfully")
        login = pamtester("frida")
        phone.fails(login.address)
        login.closes()


def test_enter_alone():
    """with phone-code = optional Enter completes an approved login on a virtual console, and nowhere else"""
    optional = "tries = 1\nphone-code = optional\n"
    with front(), phone_settings(optional), Sshd(*KEY_AND_PIN):
        elsewhere = {"tty": "pts/3"}, {"tty": "tty64"}, {"tty": "tty1", "rhost": "192.0.2.7"}
        for begin in (lambda: ssh("dora", "id"), lambda: sudo("dora"),
                      *(functools.partial(pamtester, "dora", "su", **place) for place in elsewhere)):
            login = begin()
            absent(login.screen, "Enter")
            phones().dora.approves(login.address)
            login.types("")
            login.child.expect([pexpect.EOF, r"from your phone: "])
            login.closes()
            equal(LOG.since(login.mark, "granted"), [])
        login = pamtester("dora", "su", tty="tty1")
        within(login.screen, "or Enter if it shows none: ")
        login.types("")
        absent(login.ends()[0], "successfully")
        login = pamtester("dora", "su", tty="tty1")
        phones().dora.approves(login.address)
        login.types("")
        within(login.ends()[0], "successfully authenticated")
        mark = LOG.mark()
        with Console("login", "dora") as console:
            console.shows("or Enter if it shows none:").hides()
            phones().dora.approves("".join(NUMBER.search(console.text()).groups()))
            console.types("").shows("$")
            equal(LOG.record(mark, "granted")[1]["service"], "login")
