# SPDX-License-Identifier: Apache-2.0
# Real programs that wait for a phone, with the QR code on their terminal.
import subprocess

from house import as_user, run
from phone import ORIGIN
from phones import PhoneLogin
from qr_codes import codes

COLUMNS = 120


class Console(PhoneLogin):
    """A program at a terminal, up to its prompt."""

    def __init__(self, *command):
        super().__init__(*command, size=(60, COLUMNS))

    @property
    def scanned(self):
        """The address that a camera reads from the QR code on the terminal."""
        [address] = codes(self.screen.split("\n"), COLUMNS)
        assert address.startswith(f"{ORIGIN}/#"), address
        return address

    def given(self, code):
        """Types this approval code: what the program prints, and the exit status."""
        return self.types(code).ends()


def account(name):
    """Creates an account that may use sudo, if it does not exist."""
    if subprocess.run(["getent", "passwd", name], capture_output=True).returncode:
        run("useradd", "--create-home", "--shell", "/bin/bash", name)
        with open("/etc/sudoers.d/page", "a") as file:
            file.write(f"{name} ALL=(ALL) ALL\n")
    return name


def allowed(name, identity, id):
    """Lets this phone approve the account's logins."""
    run("mpin", "allow", account(name), id, "--way", "phone", "--label", identity)


def sudo(name):
    return Console(*as_user(name), "sudo", "-k", "id", "-un")
