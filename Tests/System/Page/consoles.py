# SPDX-License-Identifier: Apache-2.0
# Real programs that wait for a phone, with the picture on their terminal.
import subprocess

from house import as_user, run
from phone import ORIGIN
from phones import PhoneLogin
from picture import codes

COLUMNS = 120


class Console(PhoneLogin):
    """A program at a terminal, up to its prompt."""

    def __init__(self, *command):
        super().__init__(*command, size=(60, COLUMNS))

    @property
    def scanned(self):
        """What a camera reads in the picture on the terminal."""
        [address] = codes(self.screen.split("\n"), COLUMNS)
        assert address.startswith(f"{ORIGIN}/#"), address
        return address

    def given(self, code):
        """What comes after this approval code, and the exit status."""
        return self.types(code).ends()


def account(name):
    """An account that may use sudo."""
    if subprocess.run(["getent", "passwd", name], capture_output=True).returncode:
        run("useradd", "--create-home", "--shell", "/bin/bash", name)
        with open("/etc/sudoers.d/page", "a") as file:
            file.write(f"{name} ALL=(ALL) ALL\n")
    return name


def allowed(name, identity, id):
    """An account whose logins this phone may approve."""
    run("mpin", "allow", account(name), id, "--way", "phone", "--label", identity)


def sudo(name):
    return Console(*as_user(name), "sudo", "-k", "id", "-un")
