# SPDX-License-Identifier: Apache-2.0
# Stricter rules of an organisation in mpind.conf, as users see them: longer PINs, no dates, stricter locks,
# longer sessions; no setting can be looser than the default.
import contextlib
import json
import subprocess
import time

from console import Console
from crowds import start
from doctor import Told
from house import MPIND_CONF, PUBLIC, Login, as_user, finish, run, settings, site, spawn
from phones import front, phone_settings, phones, sudo
from support import equal, replaced, seconds, within

WRONG = "Kestrel-0000"
BACKEND = "--backend", f"unix:{PUBLIC}"


def conf():
    with open(MPIND_CONF) as file:
        return file.read()


@contextlib.contextmanager
def asking(*lines):
    """The server runs with these settings in addition to its own while the block runs."""
    before = conf()
    site().mpind.stop()
    try:
        with replaced(MPIND_CONF, before + "\n".join(["", *lines, ""])):
            start()
            yield
            site().mpind.stop()
    finally:
        # A failure in between may have left it running.
        if site().mpind.process.poll() is None:
            site().mpind.stop()
        start()


def account(name):
    run("useradd", "--create-home", name, status=None)
    return name


def code_for(name):
    return site().mpind.admin("user", "add", f"{name}@example.org")["activationCode"]


def refused(*command, pin, code, prefix=()):
    """The error message with which a new PIN is refused."""
    fds = {"--pin-fd": pin + "\n", "--code-fd": code + "\n"}
    return json.loads(run(*prefix, *command, "--json", fds=fds, status=1))["error"]["message"]


def test_long_pins():
    """with `pin-length = 8` a PIN of six characters is refused on a host, on a device and as a changed PIN,
    and the message says eight"""
    name, says = account("gwen"), "PIN of at least 8 characters"
    with settings("tries = 1"), asking("pin-length = 8"):
        here = "mpin", "enroll", name, "--identity", f"{name}@example.org", *BACKEND
        code = code_for(name)
        within(refused(*here, pin="258025", code=code), says)
        own = "mpin", "enroll", "--personal", "--identity", f"{name}@example.org", *BACKEND
        within(refused(*own, pin="258025", code=code, prefix=as_user(name)), says)
        # At a terminal the user is prompted again, and the code remains valid.
        child = spawn(*here)
        for pin, answer in ("258025", says), ("25802581", "The same PIN again"):
            child.expect("New PIN for .*: ")
            child.waitnoecho()
            child.sendline(pin)
            child.expect(answer)
        child.waitnoecho()
        child.sendline("25802581")
        child.expect("Activation code: ")
        child.waitnoecho()
        child.sendline(code)
        equal(finish(child)[1], 0)
        equal(Login("mpin", name, "25802581").code, "SUCCESS")
        changed = run("mpin", "change-pin", name, "--json", status=1,
                      fds={"--pin-fd": "25802581\n", "--new-pin-fd": "314159\n"})
        within(json.loads(changed)["error"]["message"], says)
    # Existing PINs remain valid, and the rule applies only while it is set.
    with settings("tries = 1"):
        run("mpin", "change-pin", name, fds={"--pin-fd": "25802581\n", "--new-pin-fd": "314159\n"})
        equal(Login("mpin", name, "314159").code, "SUCCESS")
        with asking("pin-length = 8"):
            equal(Login("mpin", name, "314159").code, "SUCCESS")


def test_no_dates():
    """with `pin-kinds = no-dates` dates such as 311299 are refused, and a PIN that is not a date is
    accepted"""
    name = account("hugo")
    command = "mpin", "enroll", name, "--identity", f"{name}@example.org", *BACKEND
    with settings(), asking("pin-kinds = no-dates"):
        code = code_for(name)
        for pin in "311299", "123199", "991231", "31.12.99", "31121999", "3112":
            within(refused(*command, pin=pin, code=code), "reads as a date")
        run(*command, fds={"--pin-fd": "258025\n", "--code-fd": code + "\n"})
    site().mpind.enrol(name, f"{name}@example.org", "311299")


def identity(name):
    users = site().mpind.admin("user", "list")["users"]
    live = [one for user in users if user["userId"] == f"{name}@example.org" for one in user["identities"]
            if not one.get("revoked")]
    equal(len(live), 1, live)
    return live[0]


def test_stricter_locks():
    """with a lock of five minutes after the second wrong PIN, the screen and the list of users say so"""
    name = account("iris")
    site().mpind.enrol(name, f"{name}@example.org", "Kestrel-4711")
    with settings(), asking("lock-after = 2", "lock-first = 300"):
        login = Login("mpin", name, WRONG, WRONG + "1")
        assert login.code != "SUCCESS", login.code
        within(login.screen, "One try left", "locked for 5 minutes")
        equal(identity(name)["state"], "locked")
        left = seconds(identity(name)["lockedUntil"]) - time.time()
        assert 270 < left <= 301, left
        assert Login("mpin", name, "Kestrel-4711").code != "SUCCESS"
        site().mpind.unlock(f"{name}@example.org")
        equal(Login("mpin", name, "Kestrel-4711").code, "SUCCESS")
    with settings(), asking("lock-after = 1"):
        for _ in range(3):
            equal(Login("mpin", name, "Kestrel-4711").code, "SUCCESS")
        within(Login("mpin", name, WRONG).screen, "locked for")
    site().mpind.unlock(f"{name}@example.org")


def test_longer_sessions():
    """with `session-life = 300` and `deadline = 310` users have 300 seconds to approve, otherwise 90"""
    equal([Console([], life=life).life for life in (300, 60)], [90, 60])
    phones()
    with asking("session-life = 300"):
        equal([Console([], life=life).life for life in (600, 300, 60)], [300, 300, 60])
        with front():
            for more, seconds in ("deadline = 310\n", range(295, 301)), ("", range(85, 91)):
                with phone_settings(more):
                    console = sudo("dora")
                    assert any(f"valid for {number} seconds" in console.screen for number in seconds), (
                        console.screen)
                    equal(console.types(phones().dora.approves(console.address)).ends(), ("root", 0))


def test_nothing_looser():
    """the server does not start with a looser setting and names the bound, and so does doctor"""
    before = conf()
    for line, bounds in (
        ("lock-after = 4", "1 to 3"), ("lock-first = 30", "60 to 43200"), ("pin-length = 3", "4 to 12"),
        ("lock-longest = 60", "3600 to 43200"), ("session-life = 600", "30 to 300"),
    ):
        sentence = f"`{line.split()[0]}`: give a whole number from {bounds}."
        with replaced(MPIND_CONF, f"{before}\n{line}\n"):
            for command in "serve", "check":
                done = subprocess.run(["mpind", command], capture_output=True, text=True, timeout=60)
                equal(done.returncode, 2, (command, line))
                within(done.stderr, MPIND_CONF, sentence)
            within(Told().about("mpind-settings")[0]["message"], sentence)
    equal(Told().about("mpind-settings"), [])
