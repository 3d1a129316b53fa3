# SPDX-License-Identifier: Apache-2.0
# A phone is enrolled by one QR code and bound by its approval code: what root sees, and what a stranger gets.
import os
import re
import signal
import subprocess
import time

import pexpect

from house import STORE, as_user, bound, run, site
from phones import ORIGIN, Phone, front, phone_settings, phones, sudo
from qr_codes import codes
from support import absent, equal, eventually, within
from terminal import Terminal

REFUSED, BROKEN, CANCELLED = 1, 2, 4
CODE_PROMPT = "Approval code from the phone:"
BLOCKS = "█▀▄"


def enroll(*words):
    return Terminal("mpin", "enroll", *words)


def scanned(terminal):
    """The text of the QR code on the screen."""
    return eventually(lambda: codes(terminal.lines(), 80), "a QR code")[0]


def says(terminal, *sentences):
    """Waits for sentences beside the QR code, which are broken into short lines."""
    for text in sentences:
        eventually(lambda: text in " ".join(re.sub(f"[{BLOCKS}]", " ", terminal.joined()).split()),
                   f"{text!r} on the screen", 20)
    return terminal


def unconfirmed(identity):
    users = site().mpind.admin("user", "list")["users"]
    return [one.get("unconfirmed", False) for user in users if user["userId"] == identity
            for one in user["identities"]]


def has_code(identity):
    users = site().mpind.admin("user", "list")["users"]
    return any("codeExpires" in user for user in users if user["userId"] == identity)


def leaves_nothing(terminal, *secrets):
    """The QR code was on the alternate screen: neither screen nor scrollback contains it."""
    absent(terminal.remembered(), *BLOCKS, *secrets)


def binding(user, *words):
    """The second QR code, for an account that is created if it does not exist."""
    if subprocess.run(["getent", "passwd", user], capture_output=True).returncode:
        phones().account(user)
    return enroll(user, "--bind", *words)


def test_enrolled_and_bound():
    """root's two QR codes enrol a phone and bind it, and its next approval lets the user in"""
    phones().account("gina")
    with front() as server, phone_settings():
        with enroll("gina", "--phone") as terminal:
            says(terminal.shows("says that it is enrolled:"), "This QR code is good for 9:5")
            address = scanned(terminal)
            code = re.fullmatch(
                re.escape(ORIGIN) + "/#enrol[?]user=gina%40sandbox&code=([B-Z]{16})", address)[1]
            phone = Phone("gina@sandbox", "gina-phone", code, server)
            equal(unconfirmed("gina@sandbox"), [True])
            says(terminal.types("").shows(CODE_PROMPT), "told by telephone protects nothing")
            session = scanned(terminal)
            within(session, f"{ORIGIN}/#")
            # Before it is bound, a phone enrolled by a QR code may approve only this session.
            approval_code = phone.approves(session)
            terminal.types(approval_code.lower()).shows("Bind it? [y/N]")
            within(terminal.text(), "gina@sandbox", phone.id[:8], "less than a minute ago",
                   "Compare the id with the eight digits that the phone shows")
            equal(bound("gina"), [])
            equal(terminal.types("y").ends(), 0)
            within(terminal.joined(), f"({phone.id[:8]}) may log in as gina by second device",
                   "mpin test gina")
            leaves_nothing(terminal, code, session, approval_code)
        equal((bound("gina"), unconfirmed("gina@sandbox")), ([phone.id], [False]))
        console = sudo("gina")
        equal(console.types(phone.approves(console.address)).ends(), ("root", 0))


def test_a_stranger_scans_first():
    """a stranger's phone that scans first gains nothing: root is told, and then binds the right one"""
    dora, mallory = phones().dora, phones().mallory
    with front(), phone_settings(), binding("hanna") as terminal:
        first = scanned(terminal.shows(CODE_PROMPT))
        mallory.approves(first)
        within(dora.fails(first), "No login of yours waits")
        says(terminal.types(""), f"The phone {mallory.id[:8]} (mallory@example.org").shows(CODE_PROMPT)
        second = scanned(terminal)
        assert second != first, "a QR code was shown twice"
        approval_code = dora.approves(second)
        says(terminal.types("bcd fgh"), "Wrong approval code; 2 tries are left")
        terminal.types(approval_code).shows("Bind it? [y/N]")
        # Enter alone does not bind.
        equal(terminal.types("").ends(), CANCELLED)
        equal(bound("hanna"), [])


def test_wrong_codes():
    """three wrong approval codes bind nothing, and root is told whose phone had approved"""
    dora = phones().dora
    with front(), phone_settings(), binding("hanna") as terminal:
        says(terminal.types("bcdfgh"), "No phone has approved this QR code yet")
        right = dora.approves(scanned(terminal)).replace("-", "")
        wrong = [right[:index] + ("B" if right[index] != "B" else "C") + right[index + 1:]
                 for index in range(3)]
        says(terminal.types("one two"), "An approval code has six letters")
        for left in "2 tries are", "one try is":
            says(terminal.types(wrong.pop()), f"Wrong approval code; {left} left")
        equal(terminal.types(wrong.pop()).ends(), REFUSED)
        within(" ".join(terminal.joined().split()),
               "The approval code was wrong three times: nothing was bound",
               dora.id[:8], f"mpind user revoke --id {dora.id}")
        equal(bound("hanna"), [])


def test_another_name():
    """a phone that is enrolled under another name than root requested cannot approve"""
    with front(), phone_settings(), binding("hanna", "--identity", "hanna@example.org") as terminal:
        first = scanned(terminal.shows(CODE_PROMPT))
        within(phones().dora.fails(first), "No login of yours waits")
        says(terminal.types("bcdfgh"), "No phone has approved this QR code yet")
        terminal.interrupts()
        equal(terminal.ends(), CANCELLED)
        leaves_nothing(terminal, first)
        equal(bound("hanna"), [])


def test_sessions_end():
    """a session that ends is followed by the next QR code; an approved one takes its code even after some
    time"""
    dora = phones().dora
    with front(), phone_settings("deadline = 16"), binding("hanna") as terminal:
        first = scanned(terminal.shows(CODE_PROMPT))
        second = eventually(lambda: [code for code in codes(terminal.lines(), 80) if code != first],
                            "the next QR code")[0]
        approval_code = dora.approves(second)
        within(dora.fails(first), "No login of yours waits")
        says(terminal, "A phone has approved. Type its code")
        time.sleep(3)
        equal(terminal.types(approval_code).shows("Bind it?").types("yes").ends(), 0)
        equal(bound("hanna"), [dora.id])
        run("mpin", "remove", "hanna", "--identity", dora.id)


def test_killed_qr_codes():
    """a command that is killed, or whose terminal closes or shrinks, leaves the account unchanged"""
    for end in "kill", "hangup", "resize":
        with front(), phone_settings(), binding("hanna") as terminal:
            first = scanned(terminal.shows(CODE_PROMPT))
            process = terminal.process()
            if end == "kill":
                os.kill(process, signal.SIGKILL)
                terminal.ends()
            elif end == "hangup":
                terminal.__exit__()
                eventually(lambda: not os.path.exists(f"/proc/{process}"), "the end of mpin")
            else:
                terminal.size = 60, 16
                says(terminal.resizes(), "This window is too small for the QR code")
                terminal.size = 80, 24
                equal(scanned(terminal.resizes()), first)
                terminal.interrupts()
                equal(terminal.ends(), CANCELLED)
        equal(bound("hanna"), [])
    names = [name for name in os.listdir(f"{STORE}/users") if not name.isdigit()]
    equal(sorted(names), [".lock", ".mpin-store"])


def test_no_terminal():
    """without a terminal there is no QR code and no activation code, and a pipe gets no part of a QR code"""
    with front(), phone_settings():
        for words in (["mpin", "enroll", "alice", "--phone", "--identity", "nobody@example.org"],
                      ["mpind", "user", "add", "nobody@example.org", "--qr"]):
            done = subprocess.run(["setsid", *words], capture_output=True, text=True, timeout=60)
            equal((done.returncode, done.stdout), (BROKEN, ""))
            within(done.stderr, "no terminal to draw a QR code on")
        assert not has_code("nobody@example.org"), "a code was made that was never shown"
        with Terminal("sh", "-c", "mpin enroll alice --bind >/tmp/piped 2>&1") as terminal:
            scanned(terminal.shows(CODE_PROMPT))
            terminal.interrupts()
            terminal.ends()
        absent(open("/tmp/piped").read(), *BLOCKS, ORIGIN, "\x1b")


def approved_at_a_terminal(phone, address):
    """The approval code, as the device shows it at its owner's terminal."""
    child = pexpect.spawn(as_user(phone.user)[0], [*as_user(phone.user)[1:], "mpin", "approve", address],
                          encoding="utf-8", timeout=60)
    child.expect("Somebody wants this device to approve logins from now on:")
    child.expect("PIN, if that is you: ")
    child.waitnoecho()
    child.sendline(phone.pin)
    child.expect("below the QR code: ([A-Z]{3}-[A-Z]{3}). Never tell it to anyone by telephone.")
    approval_code = child.match[1]
    child.expect(f"id begins with {phone.id[:8]}")
    return approval_code


def test_printed_when_asked():
    """--print shows addresses as text instead of QR codes; the device says what it is asked to approve"""
    dora = phones().dora
    phones().account("ida")
    with front(), phone_settings():
        child = pexpect.spawn("mpin", ["enroll", "ida", "--bind", "--print"], encoding="utf-8", timeout=60)
        child.expect(re.escape(ORIGIN) + "/#[0-9a-f]{32}")
        approval_code = approved_at_a_terminal(dora, child.after)
        child.expect(CODE_PROMPT)
        child.sendline(approval_code)
        child.expect("Bind it")
        screen = child.before
        child.sendline("y")
        child.expect(pexpect.EOF)
        child.close()
        equal((child.exitstatus, bound("ida")), (0, [dora.id]))
        absent(screen + child.before, *BLOCKS, "\x1b")
        # A binding that cannot be written to the store is not reported to the server.
        told = run("mpind", "audit", "--last", "500").count("phone.bound")
        with enroll("ida", "--bind") as terminal:
            terminal.types(dora.approves(scanned(terminal.shows(CODE_PROMPT)))).shows("Bind it?").types("y")
            equal(terminal.ends(), BROKEN)
            within(terminal.joined(), "ida has this identity already")
        equal(run("mpind", "audit", "--last", "500").count("phone.bound"), told)
    printed = run("mpind", "user", "add", "ida@example.org", "--qr", "--print")
    assert re.search(re.escape(ORIGIN) + "/?#enrol[?]user=ida%40example.org&code=[B-Z]{16}$", printed, re.M)
