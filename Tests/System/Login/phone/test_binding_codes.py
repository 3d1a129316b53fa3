# SPDX-License-Identifier: Apache-2.0
# The code for an enrolment by QR code: drawn at the server, and typed at a host elsewhere.
import os
import re
import signal
import time

from house import MPIND_CONF, PUBLIC, run, site
from phones import ORIGIN, Phone, front, phone_settings, phones, sudo
from support import equal, replaced, seconds, within
from support.wire import Wire
from terminal import Terminal
from test_binding import (
    CANCELLED, CODE_PROMPT, bound, enroll, has_code, leaves_nothing, scanned, unconfirmed)


def test_the_server_is_elsewhere():
    """without a server on this host root types the code from mpind user add --qr, and the QR code contains
    it"""
    phones().account("lena")
    plain = site().mpind.admin("user", "add", "lena@example.org")["activationCode"]
    made = site().mpind.admin("user", "add", "lena@example.org", "--qr")
    equal(set(made), {"activationCode", "address", "expires", "userId"})
    assert 500 < seconds(made["expires"]) - time.time() <= 600, "it is valid for ten minutes"
    with phone_settings(), replaced(MPIND_CONF, "admin-socket = /nowhere/admin.sock\n"):
        with enroll("lena", "--phone", "--identity", "lena@example.org") as terminal:
            terminal.shows("mpind user add lena@example.org --qr").shows("Activation code:").hides()
            # It is valid for a day, and the first phone to scan it could log in at once.
            terminal.types(plain).shows("This activation code was not made for a QR code").hides()
            terminal.types(made["activationCode"]).shows("says that it is enrolled:")
            code = made["activationCode"].replace("-", "")
            equal(scanned(terminal), f"{ORIGIN}/#enrol?user=lena%40example.org&code={code}")
            terminal.interrupts()
            equal(terminal.ends(), CANCELLED)
            leaves_nothing(terminal, code, made["activationCode"])
    equal(bound("lena"), [])


def test_drawn_at_the_server():
    """mpind user add --qr draws the enrolment QR code, with the code for a host, and removes both"""
    phones()
    with Terminal("mpind", "user", "add", "jane@example.org", "--qr") as terminal:
        terminal.shows("Press Enter to remove the QR code:")
        code = re.fullmatch(
            re.escape(ORIGIN) + "/?#enrol[?]user=jane%40example.org&code=([B-Z]{16})", scanned(terminal))[1]
        grouped = "-".join(re.findall("....", code))
        within(" ".join(terminal.text().split()), grouped)
        equal(terminal.types("").ends(), 0)
        within(terminal.joined(), "mpin enroll jane --bind --identity jane@example.org")
        leaves_nothing(terminal, code, grouped)
    phone = Phone("jane@example.org", "jane", code)
    equal(unconfirmed("jane@example.org"), [True])
    # The registration is unconfirmed: `mpin allow` alone does not let the phone approve.
    phones().account("kate")
    run("mpin", "allow", "kate", phone.id, "--way", "phone", "--label", "jane@example.org")
    with front(), phone_settings():
        console = sudo("kate")
        within(phone.fails(console.address), "No login of yours waits")
        console.closes()


def test_a_cancelled_code():
    """whoever photographed the QR code of an enrolment that root cancelled, or that a signal or hangup ended,
    enrols nothing with its code; only after a kill the code lives out its ten minutes"""
    phones().account("lisa")
    ends = {"Ctrl-C": None, "Ctrl-C at the second QR code": None, "hangup": signal.SIGHUP,
            "SIGTERM": signal.SIGTERM, "kill": signal.SIGKILL}
    for end, sent in ends.items():
        with front(), phone_settings(), enroll("lisa", "--phone") as terminal:
            code = scanned(terminal.shows("says that it is enrolled:"))[-16:]
            assert has_code("lisa@sandbox"), end
            if sent:
                os.kill(terminal.process(), sent)
            else:
                if end != "Ctrl-C":
                    terminal.types("").shows(CODE_PROMPT)
                terminal.interrupts()
            terminal.ends()
            asked = {"userId": "lisa@sandbox", "mobile": 0, "bound": 1, "activateCode": code}
            enrols = Wire(f"unix:{PUBLIC}").call("PUT", "/rps/user", asked).json["active"]
            equal((has_code("lisa@sandbox"), enrols), (end == "kill", end == "kill"), end)
    equal(bound("lisa"), [])


def test_interrupted_at_the_server():
    """Ctrl-C and SIGTERM remove QR code and code from the screen and end the code; mpind's error messages
    stay on the screen"""
    phones()
    for end in signal.SIGINT, signal.SIGTERM:
        with Terminal("mpind", "user", "add", "jim@example.org", "--qr") as terminal:
            terminal.shows("Press Enter to remove the QR code:")
            code = scanned(terminal)[-16:]
            if end == signal.SIGINT:
                terminal.interrupts()
            else:
                os.kill(terminal.process(), end)
            equal(terminal.ends(), 0)
            leaves_nothing(terminal, code, "-".join(re.findall("....", code)))
        assert not has_code("jim@example.org")
    lost = "--admin-socket", "/nowhere"
    with Terminal("mpind", "user", "add", "jim@example.org", "--qr", *lost) as terminal:
        equal(terminal.ends(), 3)
        within(terminal.joined(), "/nowhere")
