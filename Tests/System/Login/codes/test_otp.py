# SPDX-License-Identifier: Apache-2.0
# One-time passwords of a second device: the screens, every program, and what is refused.
import json

from house import CONF, PUBLIC, REMOTE, Login, as_user, finish, replaced, site, spawn
from phones import phones, unasked_front
from proxy import Fault, Proxy
from support import LOG, absent, equal, within
from terminal import Terminal
from test_codes import new_codes
from test_screens import SIZES, Recording, at_own_locale
from test_sshd import KEY, KEY_AND_PIN, SSH, Sshd, key_for

WRONG = "000000"
PROXY = "/run/mpind/otp.sock"
PROMPT = "One-time password from your phone: "
SUDO = [*at_own_locale("dora"), "sudo", "-k"]
REFUSED_BY_SUDO = "sudo: 1 incorrect password attempt"
COMMANDS = {
    "ssh": ([*SSH, *KEY, "dora@127.0.0.1", "id"], "Permission denied"),
    "sudo": ([*SUDO, "id", "-un"], REFUSED_BY_SUDO),
    "sudo-p": ([*SUDO, "-p", "say: ", "id"], REFUSED_BY_SUDO),
    "su": ([*at_own_locale("alice"), "su", "dora", "-c", "id"], "su: Authentication failure"),
    "login": (["login", "dora"], "sandbox login: "),
}


def otp_settings(more=""):
    """mpin.conf of a host that asks for one-time passwords, while the block runs."""
    return replaced(CONF, f"backend = unix:{PUBLIC}\nmethod = otp\n{more}\n")


def password(device):
    """A one-time password from the device, which talks to mpind at its public address."""
    with unasked_front():
        return device.mpin("otp", pin=device.pin)["otp"]


def test_screens():
    """in every program the screens that ask for a one-time password are the recorded ones"""
    phones()
    with Sshd(*KEY_AND_PIN), otp_settings("tries = 1"):
        key_for("dora")
        for name, (command, refusal) in COMMANDS.items():
            with Recording(f"otp-{name}") as recording:
                for size in SIZES:
                    with Terminal(*command, size=size) as terminal:
                        terminal.shows("say: " if "say: " in command else PROMPT).hides()
                        recording.takes(terminal, "at the prompt")
                        terminal.types(WRONG).shows(refusal)
                        recording.takes(terminal, "after a wrong password")


def test_every_program():
    """every program lets in users who type the password that their device shows; the log names method and
    device"""
    dora = phones().dora
    with Sshd(*KEY_AND_PIN), otp_settings():
        key_for("dora")
        for name, (command, _) in COMMANDS.items():
            if name == "login":
                continue
            mark = LOG.mark()
            with Terminal(*command, size=SIZES[0]) as terminal:
                terminal.shows("say: " if "say: " in command else PROMPT).hides()
                terminal.types(password(dora))
                equal(terminal.ends(), 0, name)
            pairs = LOG.record(mark, "granted")[1]
            equal([pairs["way"], pairs["label"]], ["otp", dora.identity])
        digits = password(dora)
        done = Login("mpin", "dora", f"{digits[:3]}-{digits[3:]}", items=REMOTE)
        equal(done.code, "SUCCESS")
        equal(done.environment, {"MPIN_IDENTITY": dora.identity, "MPIN_METHOD": "otp"})


def others(digits):
    """Five passwords that are not this one: one that was wrong before in the same login is not sent again."""
    return [other for other in (f"00000{number}" for number in range(6)) if other != digits][:5]


def test_once_and_five():
    """a one-time password is valid once, five wrong ones end it, and wrong ones never leave the host"""
    dora = phones().dora
    with otp_settings("tries = 6"):
        digits = password(dora)
        equal(Login("mpin", "dora", digits).code, "SUCCESS")
        equal(Login("mpin", "dora", *[digits] * 6).code, "AUTH_ERR")
        digits = password(dora)
        equal(Login("mpin", "dora", *others(digits)[:4], digits).code, "SUCCESS")
        digits = password(dora)
        equal(Login("mpin", "dora", *others(digits), digits).code, "AUTH_ERR")
    phones().unlock()


def test_strangers_tries():
    """five wrong passwords from a stranger's su do not end the password for its owner's login"""
    dora = phones().dora
    with otp_settings("tries = 5"):
        digits = password(dora)
        stranger = spawn(*as_user("alice"), "su", "dora", "-c", "id")
        for wrong in others(digits):
            stranger.expect(PROMPT)
            stranger.waitnoecho()
            stranger.sendline(wrong)
        within(finish(stranger)[0], COMMANDS["su"][1])
        with Terminal(*SUDO, "id", "-un", size=SIZES[0]) as terminal:
            terminal.shows(PROMPT).types(digits)
            equal(terminal.ends(), 0)


def test_not_for_others():
    """an older password, the password of a device that is not listed, and a wrong PIN are refused"""
    dora, mallory = phones().dora, phones().mallory
    with otp_settings("tries = 1"):
        old, new = password(dora), password(dora)
        if old != new:
            equal(Login("mpin", "dora", old).code, "AUTH_ERR")
        equal(Login("mpin", "dora", new).code, "SUCCESS")
        equal(Login("mpin", "dora", password(mallory)).code, "AUTH_ERR")
        with unasked_front():
            told = dora.mpin("otp", pin="Osprey-28", status=1)
        absent(str(told), "otp'")
        equal(told["error"]["kind"], "refused")
    phones().unlock()


class GivesBack(Fault):
    """The server gets the question; the host gets its own tags back, as if the typed password were right."""

    def instead(self, handler, body):
        handler.forward(body)
        handler.answer(200, json.dumps({"otpTags": json.loads(body)["otpTags"]}).encode(),
                       [("Content-Type", "application/json")])
        return True


def test_given_back():
    """an attacker in front of the server who returns the host's own tags does not make it accept a wrong
    password"""
    dora = phones().dora
    digits = password(dora)
    wrong = "000000" if digits != "000000" else "000001"
    with Proxy(PROXY, PUBLIC, GivesBack("/rps/otp")) as proxy:
        with replaced(CONF, f"backend = unix:{PROXY}\nmethod = otp\ntries = 1\n"):
            equal(Login("mpin", "dora", wrong).code, "AUTH_ERR")
            equal([call for call in proxy.calls if call in ("/rps/otp", "/mpinAuthenticate")],
                  ["/rps/otp", "/mpinAuthenticate"])
            equal(Login("mpin", "dora", digits).code, "SUCCESS")


def test_strangers_see_the_same():
    """over the network enrolled, unenrolled and unknown users see one prompt and one refusal"""
    phones()
    with otp_settings():
        seen = {Login("mpin", user, WRONG, "", "12", items=REMOTE).screen
                for user in ("dora", "alice", "nobody-at-all", "root")}
        equal(len(seen), 1, seen)
        within(seen.pop(), PROMPT, "M-Pin did not let you in.")
        mark = LOG.mark()
        equal(Login("mpin", "alice", WRONG).code, "USER_UNKNOWN")
        equal(LOG.record(mark)[1]["reason"], "no-phone-here")


def test_away():
    """while the server is unreachable a one-time password is refused, and a backup code lets in"""
    phones()
    mpind = site().mpind
    codes = new_codes("dora")
    with otp_settings("backup-codes = mpin\ntries = 2"):
        mpind.stop()
        try:
            equal(Login("mpin", "dora", WRONG, WRONG, WRONG).code, "AUTHINFO_UNAVAIL")
            done = Login("mpin", "dora", WRONG, codes[0])
            equal(done.code, "SUCCESS")
            within(done.screen, "The M-Pin server cannot help now.")
        finally:
            mpind.start()
