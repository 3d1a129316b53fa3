# SPDX-License-Identifier: Apache-2.0
# What a person sees, recorded as text files in Screens; `MPIN_GOLDEN=update` writes them anew.
import os
import re

from harness import HERE, equal, test
from house import as_user, settings, site
from picture import codes, covered
from terminal import Terminal
from test_sshd import KEY, KEY_AND_PIN, SSH, Sshd

SCREENS = f"{HERE}/Screens"
SIZES = (80, 24), (120, 40)
PASSING = {
    r"#[0-9a-f]{32}": "#" + "w" * 32, r"\b[0-9]{3} [0-9]{4}\b": "NNN NNNN",
    r"valid for (1 minute )?[0-9]+ seconds": "valid for SS seconds",
    r"[A-Z][a-z]{2} [A-Z][a-z]{2} +[0-9]+ [0-9:]{8} UTC [0-9]{4}": "DATE", r"attempt [0-9a-f]{16}": "attempt A",
}


def still(lines):
    """The screen with everything that differs from login to login replaced by marks."""
    text = "\n".join(covered(lines))
    for passing, mark in PASSING.items():
        text = re.sub(passing, mark, text)
    return text.rstrip("\n")


class Recording:
    """The screens of one program, a file; used by `with`, at whose end they are compared."""

    def __init__(self, name):
        self.path, self.seen = f"{SCREENS}/{name}.txt", ""

    def __enter__(self):
        return self

    def takes(self, terminal, moment):
        """Adds what this terminal shows now, and returns what its QR codes say."""
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


WRONG = "Kestrel-0000"
SUDO = [*as_user("alice"), "sudo", "-k"]
OF_ALICE, OF_BOB = "PIN for alice@example.org: ", "PIN for bob@example.org: "
# Command, prompt, and the last that is to be seen after a wrong PIN.
LOCAL = {
    "sudo": ([*SUDO, "id", "-un"], OF_ALICE, "sudo: 1 incorrect password attempt"),
    "sudo-p": ([*SUDO, "-p", "say: ", "id", "-un"], "say: ", "sudo: 1 incorrect password attempt"),
    "su": ([*as_user("alice"), "su", "bob", "-c", "id -un"], OF_BOB, "su: Authentication failure"),
    "login": (["login", "bob"], OF_BOB, "sandbox login: "),
}


def asked_and_refused(recording, size, command, prompt, refusal, **options):
    """The screen at the prompt for a PIN, and after a wrong one."""
    with Terminal(*command, size=size, **options) as terminal:
        terminal.shows(prompt).hides()
        recording.takes(terminal, "at the prompt")
        terminal.types(WRONG).shows(refusal)
        recording.takes(terminal, "after a wrong PIN")
    site().unlock()


@test
def pin_on_the_machine():
    """the screens of sudo, su and login that ask for a PIN and refuse a wrong one are the recorded ones"""
    with settings("tries = 1"):
        for name, (command, prompt, refusal) in LOCAL.items():
            with Recording(f"pin-{name}") as recording:
                for size in SIZES:
                    asked_and_refused(recording, size, command, prompt, refusal)


@test
def pin_by_ssh():
    """the screens of ssh that ask for a PIN and refuse a wrong one are the recorded ones, in UTF-8 and C"""
    command = [*SSH, *KEY, "alice@127.0.0.1", "id"]
    with Sshd(*KEY_AND_PIN):
        for locale in "C.UTF-8", "C":
            with Recording(f"pin-ssh-{locale}") as recording:
                for size in SIZES:
                    asked_and_refused(recording, size, command, "M-Pin PIN: ",
                                      "M-Pin did not let you in.\nM-Pin PIN: ", locale=locale)
