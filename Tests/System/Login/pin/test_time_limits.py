# SPDX-License-Identifier: Apache-2.0
# The time limits of login(1) and sshd: a session lives no longer than the program that shows it.
import re
import time

from doctor import Told
from house import replaced
from phones import PhoneLogin, front, phone_settings, phones
from support import absent, equal, within
from test_sshd import KEY, KEY_AND_PIN, SSH, Sshd, key_for


def shown(console):
    """The seconds that the screen gives a session."""
    return int(re.search(r"valid for (\d+) seconds", " ".join(console.screen.split()))[1])


def timed_out(seconds):
    """LOGIN_TIMEOUT of /etc/login.defs while the block runs."""
    with open("/etc/login.defs") as file:
        others = [line for line in file if not line.startswith("LOGIN_TIMEOUT")]
    return replaced("/etc/login.defs", "".join(others) + f"LOGIN_TIMEOUT {seconds}\n")


def test_session_of_login():
    """a login at a console shows no more seconds than login(1) waits, and no new code outlives it"""
    phones()
    with front(), phone_settings(), timed_out(60):
        console = PhoneLogin("login", "dora")
        first, began = shown(console), time.monotonic()
        assert 20 < first <= 60 - 1, first
        # So long that a session that began anew would show more.
        time.sleep(3)
        gone = time.monotonic() - began
        console.types("r").waits()
        assert shown(console) <= first - gone + 1, (first, gone)
        console.types(phones().dora.approves(console.address))
        console.child.expect(r"\$ ")
        console.closes()


def test_session_of_sshd():
    """a login by ssh shows no more seconds than LoginGraceTime leaves, also in an included file"""
    phones()
    with front(), phone_settings():
        for lines in ["LoginGraceTime 60"], ["Include /etc/ssh/grace_*.conf", "LoginGraceTime 600"]:
            with replaced("/etc/ssh/grace_time.conf", "# LoginGraceTime 5\nLoginGraceTime 60s\n"):
                with Sshd(*lines, *KEY_AND_PIN):
                    key_for("dora")
                    console = PhoneLogin(*SSH, *KEY, "dora@127.0.0.1", "id", "-un")
                    assert 15 < shown(console) <= 58, console.screen
                    equal(console.types(phones().dora.approves(console.address)).ends(), ("dora", 0))
        with Sshd("LoginGraceTime 0", *KEY_AND_PIN):
            console = PhoneLogin(*SSH, *KEY, "dora@127.0.0.1", "id", "-un")
            equal(shown(console), 90)
            console.closes()


def test_doctor_speaks_of_time_limits():
    """doctor names LOGIN_TIMEOUT and LoginGraceTime where they are shorter than the deadline"""
    with phone_settings("[login]\nremote = no"):
        with timed_out(60):
            told = Told()
            within(told.about("login-timeout")[0]["message"], "LOGIN_TIMEOUT 60", "60 s", "100 s")
        with timed_out(101):
            absent(Told().words("note"), "login-timeout")
