# SPDX-License-Identifier: Apache-2.0
# What a user sees, recorded as text files in Screens; `MPIN_GOLDEN=update` writes them again.
import os
import re

from house import HERE, settings, site
from phones import ADDRESS, NUMBER, front, phone_settings, phones
from qr_codes import codes, covered, without_octal
from support import equal
from terminal import Terminal
from test_sshd import KEY, KEY_AND_PIN, SSH, Sshd, key_for

SCREENS = f"{HERE}/Screens"
SIZES = (80, 24), (120, 40)
PASSING = {
    r"#[0-9a-f]{32}": "#" + "w" * 32, r"\b[0-9]{3} [0-9]{4}\b": "NNN NNNN",
    r"valid for [0-9]+ seconds": "valid for SS seconds",
}


def still(lines):
    """The screen with everything that differs between logins replaced by marks."""
    text = "\n".join(without_octal(covered(lines)))
    for passing, mark in PASSING.items():
        text = re.sub(passing, mark, text)
    return text.rstrip("\n")


class Recording:
    """The screens of one program, recorded in one file; used by `with`, which compares them at its end."""

    def __init__(self, name):
        self.path = f"{SCREENS}/{name}.txt"
        self.seen = "# SPDX-License-Identifier: Apache-2.0\n# What a person sees; ▒ stands for a QR code.\n"

    def __enter__(self):
        return self

    def takes(self, terminal, moment):
        """Adds what this terminal shows now, and returns the texts of its QR codes."""
        lines, (columns, rows), (x, y) = terminal.lines(), terminal.size, terminal.cursor()
        cursor = f"cursor in row {y + 1}, column {x + 1}"
        self.seen += f"== {moment}, {columns}x{rows}, {cursor}\n{still(lines)}\n"
        return codes(lines, columns)

    def __exit__(self, failure, *_):
        if failure:
            return
        if os.environ.get("MPIN_GOLDEN") == "update":
            with open(self.path, "w") as file:
                file.write(self.seen)
        with open(self.path) as file:
            equal(self.seen, file.read(), self.path)


def at_own_locale(user):
    """The beginning of a command line that runs the rest as this account in the terminal's locale."""
    return ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups", "--"]


WRONG = "Kestrel-0000"
SUDO = [*at_own_locale("alice"), "sudo", "-k"]
OF_ALICE, OF_BOB = "PIN for alice@example.org: ", "PIN for bob@example.org: "
# Command, prompt, and the text that ends a refusal.
LOCAL = {
    "sudo": ([*SUDO, "id", "-un"], OF_ALICE, "sudo: 1 incorrect password attempt"),
    "sudo-p": ([*SUDO, "-p", "say: ", "id", "-un"], "say: ", "sudo: 1 incorrect password attempt"),
    "su": ([*at_own_locale("alice"), "su", "bob", "-c", "id -un"], OF_BOB, "su: Authentication failure"),
    "login": (["login", "bob"], OF_BOB, "sandbox login: "),
}


def asked_and_refused(recording, size, command, prompt, refusal, **options):
    """Records the screen at the prompt for a PIN, and after a wrong one."""
    with Terminal(*command, size=size, **options) as terminal:
        terminal.shows(prompt).hides()
        recording.takes(terminal, "at the prompt")
        terminal.types(WRONG).shows(refusal)
        recording.takes(terminal, "after a wrong PIN")
    site().unlock()


def test_pin_on_the_machine():
    """the screens of sudo, su and login that ask for a PIN and refuse a wrong one are the recorded ones"""
    with settings("tries = 1"):
        for name, (command, prompt, refusal) in LOCAL.items():
            with Recording(f"pin-{name}") as recording:
                for size in SIZES:
                    asked_and_refused(recording, size, command, prompt, refusal)


def test_pin_by_ssh():
    """the screens of ssh that ask for a PIN and refuse a wrong one are the recorded ones, in UTF-8 and C"""
    command = [*SSH, *KEY, "alice@127.0.0.1", "id"]
    with settings(), Sshd(*KEY_AND_PIN):
        for locale in "C.UTF-8", "C":
            with Recording(f"pin-ssh-{locale}") as recording:
                for size in SIZES:
                    asked_and_refused(recording, size, command, "M-Pin PIN: ",
                                      "M-Pin did not let you in.\nM-Pin PIN: ", locale=locale)



WRONG_CODE = "BCDFGH"
SSH_OF_DORA = [*SSH, *KEY, "dora@127.0.0.1", "id"]
SUDO_OF_DORA = [*at_own_locale("dora"), "sudo", "-k"]
REFUSED_BY_SUDO = "sudo: 1 incorrect password attempt"
# Command, locale, settings, the sizes at which the QR code is readable, and the text that ends a refusal.
PHONE = {
    "ssh-C.UTF-8": (SSH_OF_DORA, "C.UTF-8", "", SIZES, "Permission denied"),
    "ssh-C": (SSH_OF_DORA, "C", "", [], "Permission denied"),
    "ssh-C-off": (SSH_OF_DORA, "C", "[sshd]\nqr = off\n", [], "Permission denied"),
    "sudo": ([*SUDO_OF_DORA, "id", "-un"], "C.UTF-8", "", SIZES, REFUSED_BY_SUDO),
    "sudo-C": ([*SUDO_OF_DORA, "id", "-un"], "C", "", SIZES[1:], REFUSED_BY_SUDO),
    "sudo-p": ([*SUDO_OF_DORA, "-p", "say: ", "id", "-un"], "C.UTF-8", "", SIZES, REFUSED_BY_SUDO),
    "sudo-or-PIN": ([*at_own_locale("erin"), "sudo", "-k", "id"], "C.UTF-8", "", SIZES, REFUSED_BY_SUDO),
    "su": ([*at_own_locale("alice"), "su", "dora", "-c", "id"], "C.UTF-8", "", SIZES, "su: Authentication"),
    "login": (["login", "dora"], "C.UTF-8", "", SIZES, "sandbox login: "),
}


def asked_for_code(recording, size, command, locale, drawn, refusal):
    """Records the screen at the prompt for the code, whose QR code has the address, and after a wrong
    code."""
    with Terminal(*command, size=size, locale=locale) as terminal:
        terminal.shows("say: " if "say: " in command else "code from your phone: ").hides()
        address = ADDRESS.search(terminal.text())
        shown = recording.takes(terminal, "at the prompt")
        equal(shown, [address[0]] if size in drawn else [])
        terminal.types(WRONG_CODE).shows(refusal)
        recording.takes(terminal, "after a wrong code")


def test_phone_by_every_program():
    """the screens that ask for an approval code are the recorded ones, and zbar reads their QR codes"""
    phones()
    with front(), Sshd(*KEY_AND_PIN):
        key_for("dora")
        for name, (command, locale, more, drawn, refusal) in PHONE.items():
            with phone_settings(f"tries = 1\n{more}"), Recording(f"phone-{name}") as recording:
                for size in SIZES:
                    asked_for_code(recording, size, command, locale, drawn, refusal)


def test_without_a_qr_code():
    """where no QR code can be drawn, the number or the address on the screen still lets in"""
    phones()
    # A client in the C locale shows a QR code as numbers, which push the address off the screen.
    cases = [((80, 24), "C", SSH_OF_DORA, "", [NUMBER]),
             ((40, 10), "C", SUDO_OF_DORA + ["id"], "", [NUMBER, ADDRESS]),
             ((80, 24), "C", SSH_OF_DORA, "[sshd]\nqr = off\n", [NUMBER, ADDRESS]),
             ((30, 8), "C.UTF-8", SUDO_OF_DORA + ["id"], "", [NUMBER, ADDRESS])]
    with front(), Sshd(*KEY_AND_PIN):
        key_for("dora")
        for size, locale, command, more, shown in cases:
            with phone_settings(more), Terminal(*command, size=size, locale=locale) as terminal:
                terminal.shows("code from your phone: ").hides()
                equal(codes(terminal.lines(), size[0]), [])
                for pattern in shown:
                    assert pattern.search(terminal.joined()), terminal.text()
                number = "".join(NUMBER.search(terminal.joined()).groups())
                terminal.types(phones().dora.approves(number))
                equal(terminal.ends(), 0)
