# SPDX-License-Identifier: Apache-2.0
# Options for organisations: their own prompt texts, large and coloured QR codes, `r` for a new code.
import os
import re

import pexpect

from house import REMOTE, Login, plain, settings, site
from phones import ADDRESS, ASKED, PhoneLogin, front, phone_settings, phones, sudo
from qr_codes import codes
from support import absent, equal, within
from terminal import Terminal
from test_otp import otp_settings, password
from test_screens import SUDO_OF_DORA, at_own_locale
from test_sshd import KEY, KEY_AND_PIN, SSH, Sshd, key_for

PIN_WORDS, CODE_WORDS = "Persönliche Geheimzahl", "Zeichen vom Gerät"
COLOURS = "\x1b[0;30;47m"
SSH_OF_DORA = [*SSH, *KEY, "dora@127.0.0.1", "id", "-un"]


def shown(login):
    """The prompts of a login as texts."""
    return [prompt.encode("latin-1").decode() for prompt in login.prompts]


def raw(*command, size=(60, 120)):
    """What a program writes to its terminal up to its prompt, with escape sequences; it is then ended."""
    child = pexpect.spawn(command[0], list(command[1:]), encoding="utf-8", timeout=60, dimensions=size,
                          env={**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm"})
    child.expect(ASKED)
    text = child.before + child.after
    child.close(force=True)
    return text


def test_own_words_for_a_pin():
    """'pin-prompt' sets the prompt for a PIN, with the label for local logins and without it for remote
    ones"""
    for value in PIN_WORDS, f"{PIN_WORDS}:":
        with settings(f"pin-prompt = {value}\nremote-pin = long"):
            login = Login("mpin", "alice", site().alice)
            equal((login.code, shown(login)), ("SUCCESS", [f"{PIN_WORDS} (alice@example.org): "]))
            login = Login("mpin", "alice", site().alice, items=REMOTE)
            equal((login.code, shown(login)), ("SUCCESS", [f"\n{PIN_WORDS}: "]))
            equal(shown(Login("mpin", "nobody-here", "x", items=REMOTE))[:1], [f"\n{PIN_WORDS}: "])
    with settings(f"pin-prompt = all\n[sshd]\npin-prompt = {PIN_WORDS}"), Sshd(*KEY_AND_PIN):
        with Terminal(*SSH, *KEY, "alice@127.0.0.1", "id", "-un") as terminal:
            terminal.shows(f"\n{PIN_WORDS}: ").hides()
            terminal.types("Kestrel-0000").shows(f"M-Pin did not let you in.\n{PIN_WORDS}: ").hides()
            terminal.types(site().alice)
            equal(terminal.ends(), 0)


def test_words_that_are_refused():
    """a prompt text with an escape sequence, or one that is too long or empty, makes the login fail"""
    for value in "a\x1b[2Jb", "a\u0085b", "x" * 61, ":":
        with settings(f"pin-prompt = {value}"):
            equal(Login("mpin", "alice", site().alice).code, "SERVICE_ERR", repr(value))


def test_own_words_for_a_code():
    """'code-prompt' sets the prompt for approval codes and one-time passwords, beside 'pin-prompt'"""
    phones()
    with otp_settings(f"code-prompt = {CODE_WORDS}"):
        login = Login("mpin", "dora", password(phones().dora))
        equal((login.code, shown(login)), ("SUCCESS", [f"{CODE_WORDS}: "]))
    both = f"code-prompt = {CODE_WORDS}\npin-prompt = {PIN_WORDS}"
    with front(), phone_settings(both):
        for user, words in ("dora", f"{CODE_WORDS}: "), ("erin", f"{PIN_WORDS} / {CODE_WORDS}: "):
            with Terminal(*at_own_locale(user), "sudo", "-k", "id", "-un") as terminal:
                terminal.shows(words).hides()
                device = getattr(phones(), user)
                terminal.types(device.approves(ADDRESS.search(terminal.text())[0]))
                equal(terminal.ends(), 0)


def renewed(console):
    """Types `r`: the old session ends, and the screen shows another one."""
    old = console.address, console.number
    within(console.screen, "; r: new code.")
    console.types("r").waits()
    assert console.address != old[0] and console.number != old[1], (old, console.screen)
    within(phones().dora.fails(old[0]), "No login of yours waits")
    return console


def test_new_code():
    """'r' at the prompt of sudo and ssh gives another code, and the server ends the old session"""
    phones()
    with front(), phone_settings("tries = 1"), Sshd(*KEY_AND_PIN):
        key_for("dora")
        before = open("/var/log/mpind.log").read().count('ended="abort"')
        for console, user in (sudo("dora"), "root"), (PhoneLogin(*SSH_OF_DORA), "dora"):
            console = renewed(console)
            equal(console.types(phones().dora.approves(console.address)).ends(), (user, 0))
        equal(open("/var/log/mpind.log").read().count('ended="abort"') - before, 2)


def test_five_new_codes():
    """the sixth 'r' of a login is a wrong answer, and the screen no longer offers it"""
    phones()
    with front(), phone_settings("tries = 1\nqr = off"):
        console = sudo("dora")
        for left in 4, 3, 2, 1, 0:
            console.types("r").waits()
            equal("r: new code" in console.screen, left > 0, console.screen)
        screen, status = console.types("r").ends()
        within(screen, "Type the approval code from your phone: six letters.")
        equal(status, 1)


def test_wide_qr_codes():
    """'qr-size = large' doubles a QR code where it fits, and zbar reads the codes at every level"""
    phones()
    heights = []
    with front():
        for lines, size, is_large in (
            ("qr-size = large", (120, 60), True), ("qr-size = large", (80, 24), False),
            ("qr-size = small", (120, 60), False), ("qr-ecc = M", (120, 60), False),
            ("qr-ecc = Q", (120, 60), False), ("qr-ecc = H", (120, 60), False),
            ("qr-ecc = H\nqr-size = large", (120, 70), True), ("qr-ecc = H", (80, 24), False),
        ):
            with phone_settings(lines), Terminal(*SUDO_OF_DORA, "id", size=size) as terminal:
                terminal.shows("code from your phone: ").hides()
                rows = [row for row in terminal.lines() if "█" in row]
                equal(not set("▀▄") & set("".join(rows)), is_large, lines)
                address = ADDRESS.search(terminal.text())[0]
                equal(codes(terminal.lines(), size[0]), [address], (lines, size))
                heights.append(len(rows))
    large, small, same, medium, quartile, high, largest, fallen = heights
    assert large > 1.5 * small and small == same == fallen, heights
    assert small <= medium < quartile < high < largest, heights


def test_text_for_one():
    """users in 'qr-off-users' get plain text in sudo and from `mpin enroll --phone`, others QR codes"""
    phones()
    with front(), phone_settings("qr-off-users = dora"):
        for user, is_text in ("dora", True), ("erin", False):
            device = getattr(phones(), user)
            with Terminal(*at_own_locale(user), "sudo", "-k", "id", "-un") as terminal:
                terminal.shows("pproval code from your phone").hides()
                equal(not set("█▀▄") & set(terminal.text()), is_text, terminal.text())
                terminal.types(device.approves(ADDRESS.search(terminal.text())[0]))
                equal(terminal.ends(), 0)
            name = f"{user}-text@example.org"
            with Terminal("mpin", "enroll", user, "--phone", "--identity", name, size=(120, 50)) as terminal:
                terminal.shows("says that it is enrolled:")
                equal(not set("█▀▄") & set(terminal.text()), is_text, terminal.text())
                # A QR code contains the address; the text shows it.
                found = re.search(r"https://\S+/#enrol\S+", terminal.joined())
                equal(codes(terminal.lines(), 120) == [] and found is not None, is_text, terminal.text())
                terminal.interrupts()
                terminal.ends()


def test_colours():
    """'qr-colour = yes' draws black on white at a terminal of this machine, and sends no colours by ssh"""
    phones()
    local = [*SUDO_OF_DORA, "id"]
    with front(), Sshd(*KEY_AND_PIN):
        key_for("dora")
        with phone_settings("qr-colour = yes"):
            text = raw(*local)
            within(text, COLOURS, "\x1b[0m")
            address = ADDRESS.search(text)[0]
            equal(codes(plain(text).split("\n"), 120, light_on_dark=False), [address])
            by_ssh = raw(*SSH_OF_DORA)
            absent(by_ssh, "\x1b", "\\033", "[0;30;47m")
            equal(codes(plain(by_ssh).split("\n"), 120), [ADDRESS.search(by_ssh)[0]])
        with phone_settings():
            absent(raw(*local), "\x1b")
