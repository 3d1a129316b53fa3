# SPDX-License-Identifier: Apache-2.0
# The notice of wrong PINs: what the owner sees after a login, and that an attacker in between cannot hide it.
import calendar
import contextlib
import json
import os
import pwd
import re
import shutil
import subprocess
import time

from console import Console, call
from crowds import TCP, restart
from device import another_device
from house import MPIND_CONF, PUBLIC, Login, as_user, replaced, run, settings, site
from notices import (WRONG, addresses, asks_from, at_a_shell, changed, flipped, kept, local, notices, seen,
                     tells, told_so_far, wrong_otp, wrong_su)
from proxy import Changes, Dies, Front, Proxy, Rewrites
from support import LOG, equal, within
from test_faults import PROXY, login_through
from test_sshd import KEY, KEY_AND_PIN, SSH, Sshd, ssh

THIEF, HOME = "203.0.113.9", "198.51.100.7"
# What a command prints if the notice is missing or forged.
FORGED = ("The server's notice of wrong PINs since your last login is missing or not authentic. "
          "The connection may be intercepted.")


def test_wrong_pins_are_told():
    """after wrong PINs by ssh and su the owner sees how many, when and from where; and only once"""
    told_so_far()
    bob = f"this machine ({local('bob')})"
    with addresses(HOME, THIEF), Sshd(*KEY_AND_PIN):
        wrong_su(WRONG, WRONG + "1")
        began = time.time()
        with settings("tries = 1"):
            equal(ssh("alice", WRONG, options=[*KEY, "-b", THIEF])[1], 255)
        mark = LOG.mark()
        tells(seen(), f"3 wrong PINs since your last login, the last on {{}} from {THIEF}.", began)
        equal(LOG.record(mark, "granted")[1]["wrong-pins"], "3")
        equal(notices(seen()), [])
        site().unlock()
        # At a console, and in an interactive ssh.
        for command in ["login", "alice"], [*SSH, *KEY, "-b", HOME, "alice@127.0.0.1"]:
            began = time.time()
            wrong_su(WRONG)
            tells(at_a_shell(site().alice, *command),
                  f"1 wrong PIN since your last login, on {{}} from {bob}.", began)
            equal(notices(seen()), [])


# What an attacker in between can do to a notice.
FORGERIES = {"neither": changed(notice=None, noticeTag=None), "no tag": changed(noticeTag=None),
             "another notice": flipped("notice"), "another tag": flipped("noticeTag")}


def test_forged_notice_of_a_host():
    """a login whose notice of wrong PINs was dropped, changed or replaced by an earlier one is refused"""
    earlier = []
    equal(login_through(Changes("mpinAuthenticate", kept(earlier))).code, "SUCCESS")
    old = {name: earlier[0][name] for name in ("notice", "noticeTag")}
    for what, change in {**FORGERIES, "an earlier one": changed(**old)}.items():
        mark = LOG.mark()
        login = login_through(Changes("mpinAuthenticate", change))
        equal((login.code, notices(login.screen)), ("SERVICE_ERR", []), what)
        # An answer without one of its tags counts as unsealed.
        equal(LOG.record(mark)[1]["reason"], "seal-missing" if what == "no tag" else "notice-missing", what)


class Stolen:
    """A copy of a device's token owned by another account."""

    def __init__(self, phone):
        self.user = f"{phone.user}-thief"
        run("useradd", "--create-home", self.user)
        owner, thief = (pwd.getpwnam(name).pw_uid for name in (phone.user, self.user))
        folder = f"/home/{self.user}/.local/state/mpin"
        shutil.copytree(phone.tokens, folder, dirs_exist_ok=True)
        os.unlink(f"{folder}/users/{owner}")
        with open(f"{folder}/users/{thief}", "w") as file:
            os.chmod(file.name, 0o600)
            token = open(f"{phone.tokens}/users/{owner}").read()
            file.write(token.replace(f"uid = {owner}", f"uid = {thief}"))
        run("chown", "-R", f"{self.user}:", f"/home/{self.user}")
        self.id = phone.id

    def fails(self):
        """One try of a wrong PIN with the stolen token."""
        done = subprocess.run(
            [*as_user(self.user), "mpin", "approve", Console([self.id]).number, "--pin-fd", "0"], text=True,
            input=WRONG + "\n", capture_output=True, timeout=60)
        equal(done.returncode, 1, done.stderr)
        within(done.stderr, "Wrong PIN")


def approves(phone, *options):
    """One login approved with the device's own PIN: the text on its terminal."""
    return run(*as_user(phone.user), "mpin", "approve", Console([phone.id]).number, *options,
               fds={"--pin-fd": phone.pin + "\n"})


def takes_otp(phone):
    """A one-time password made with the device's own PIN: the text on standard error. This does not look a
    number up: a proxy is one source, and all tests share its ten look-ups a minute."""
    done = subprocess.run([*as_user(phone.user), "mpin", "otp", "--pin-fd", "0"], capture_output=True,
                          text=True, input=phone.pin + "\n", timeout=60)
    equal(done.returncode, 0, done.stderr)
    return done.stderr


def test_wrong_pins_of_a_device():
    """after wrong PINs with a stolen token its owner sees in mpin approve how many, when and from where"""
    phone = another_device()
    thief = Stolen(phone)
    equal(notices(approves(phone)), [])
    began = time.time()
    thief.fails()
    thief.fails()
    tells(approves(phone), "2 wrong PINs since your last login, the last on {} from the server's machine "
          f"({local(thief.user)}).", began)
    equal(notices(approves(phone)), [])
    began = int(time.time())
    thief.fails()
    tries = json.loads(approves(phone, "--json"))["tries"]
    last = calendar.timegm(time.strptime(tries.pop("last"), "%Y-%m-%dT%H:%M:%SZ"))
    assert began <= last <= time.time(), (began, last)
    equal(tries, {"wrong": 1, "source": local(thief.user)})
    equal(json.loads(approves(phone, "--json"))["tries"], {"wrong": 0})


@contextlib.contextmanager
def served_by_tcp(address):
    """mpind also listens on TCP, and has this public address, while the block runs."""
    with open(MPIND_CONF) as conf:
        lines = [line for line in conf if not line.startswith("public-url")]
    try:
        with replaced(MPIND_CONF, "".join(lines) + f"listen = {TCP}\npublic-url = {address}\n"):
            restart()
            yield
    finally:
        restart()


def test_address_of_a_device():
    """the notice names the address from which a wrong PIN reached the server"""
    with addresses(THIEF), Front(TCP, source=THIEF) as front, served_by_tcp(front.address):
        phone = another_device("--ca-file", front.certificate, backend=front.address)
        began = time.time()
        wrong_otp(phone)
        tells(approves(phone), f"1 wrong PIN since your last login, on {{}} from {THIEF}.", began)


def test_forged_notice_of_a_device():
    """a device does not show a notice that was dropped or changed on the way, and says so"""
    with Proxy(PROXY, PUBLIC) as proxy:
        phone = another_device(backend=f"unix:{PROXY}")
        for what, change in FORGERIES.items():
            proxy.faults = []
            wrong_otp(phone)
            proxy.faults = [Changes("mpinAuthenticate", change)]
            equal(notices(takes_otp(phone)), [FORGED], what)
        proxy.faults = [Changes("rps/authenticate", FORGERIES["neither"])]
        told = phone.approve(Console([phone.id]).number)
        equal((told["approved"], told.get("tries")), (True, None))
        told = json.loads(approves(phone, "--json"))
        equal((told["approved"], told.get("tries")), (True, None))


def test_strangers_tries():
    """tries without the device key appear in no notice, and neither lock nor block the owner"""
    with Proxy(PROXY, PUBLIC) as proxy:
        phone = another_device(backend=f"unix:{PROXY}")
        for change in changed(deviceTag=None), flipped("deviceTag"):
            proxy.faults = [Rewrites("pass2", change)]
            for pin in phone.pin, WRONG, WRONG, WRONG:
                wrong_otp(phone, pin)
        proxy.faults = []
        equal(notices(takes_otp(phone)), [])


HOSTILE = ["203.0.113.9\x1b[2J", "desk\x1b]0;x\x07\u202egro.live", "x" * 3000, "\n\nroot\r", "\u009b2Jdesk"]


def tells_plainly(source, began):
    """alice sees one wrong PIN from this source, on one line of printable ASCII."""
    screen = seen()
    assert re.fullmatch(r"[ -~\r\n]*", screen), repr(screen)
    tells(screen, f"1 wrong PIN since your last login, on {{}} from {source}.", began)


def test_hostile_names_of_hosts():
    """whatever PAM_RHOST contains, the notice is one plain line"""
    told_so_far()
    for name, told in (HOSTILE[1] + "x" * 3000, "unknown"), (THIEF + "%\x1b[2J" + "y" * 3000, THIEF):
        began = time.time()
        with settings("remote-pin = long\ntries = 1"):
            login = Login("sshd", "alice", WRONG, items={"4": name.encode().decode("latin-1"), "3": "ssh"})
        equal((login.code, len(login.prompts)), ("AUTH_ERR", 1), name)
        tells_plainly(told, began)


def test_hostile_sources():
    """whatever source a thief of the host's key gives, the notice is one plain line"""
    with Proxy(PROXY, PUBLIC) as proxy, settings(backend=f"unix:{PROXY}"):
        told_so_far()
    first, second = (json.loads(proxy.bodies[path][-1]) for path in ("/rps/pass1", "/rps/pass2"))
    for name in [*HOSTILE, "local:" + HOSTILE[1], "local:" + HOSTILE[2]]:
        source, began = name.encode()[:255], time.time()
        status, answer = call("/rps/pass1", {**first, **asks_from(source, bytes.fromhex(first["ask"]))})
        equal(status, 200, answer)
        equal(call("/rps/pass2", {**second, "n": answer["n"]})[0], 200)
        told = re.sub(rb"[^ -~]", b"?", source[:64]).decode()
        tells_plainly(f"this machine ({told})" if name.startswith("local:") else told, began)
        site().unlock()


def test_notice_of_a_login_that_failed():
    """wrong PINs that a failed login could not report are reported by the next one"""
    told_so_far()
    began = time.time()
    wrong_su(WRONG)
    equal(login_through(Dies("mpinAuthenticate")).code, "AUTHINFO_UNAVAIL")
    tells(seen(), f"1 wrong PIN since your last login, on {{}} from this machine ({local('bob')}).", began)


def test_earlier_notice_of_a_device():
    """an attacker in between cannot hide a wrong PIN from a device's owner by repeating an earlier notice"""
    with Proxy(PROXY, PUBLIC) as proxy:
        phone, earlier = another_device(backend=f"unix:{PROXY}"), []
        proxy.faults = [Changes("mpinAuthenticate", kept(earlier))]
        takes_otp(phone)
        proxy.faults = []
        wrong_otp(phone)
        old = {name: earlier[0][name] for name in ("notice", "noticeTag")}
        proxy.faults = [Changes("mpinAuthenticate", changed(**old))]
        screen = takes_otp(phone)
        assert notices(screen) == [FORGED] or "1 wrong PIN" in screen, f"the owner sees no notice: {screen}"
