# SPDX-License-Identifier: Apache-2.0
# A virtual console of this machine, with the kernel's keyboard and screen: not a pseudoterminal.
import fcntl
import os
import random
import stat
import subprocess
import termios

from support import eventually

TERMINALS, SCREENS = 4, 7


def node(path, major, minor):
    if not os.path.exists(path):
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(major, minor))
    return path


class Console:
    """Runs one program at a new console; used by `with`."""

    def __init__(self, *command):
        # Other sandboxes on this machine use the same consoles.
        number = random.randrange(20, 64)
        self.name = f"tty{number}"
        self.path = node(f"/dev/{self.name}", TERMINALS, number)
        self.screen = node(f"/dev/vcs{number}", SCREENS, number)
        # ENXIO here means that this machine has no virtual consoles, and the test cannot pass.
        self.terminal = os.open(self.path, os.O_RDWR | os.O_NOCTTY)
        self.command = command

    def __enter__(self):
        os.write(self.terminal, b"\033c")
        self.process = subprocess.Popen(
            ["setsid", "--ctty", "--wait", *self.command], stdin=self.terminal, stdout=self.terminal,
            stderr=self.terminal)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait(60)
        os.close(self.terminal)

    def text(self):
        """The text on the screen, without trailing blanks on its lines."""
        columns = termios.tcgetwinsize(self.terminal)[1] or 80
        with open(self.screen, "rb") as file:
            octets = file.read().decode("latin-1")
        rows = [octets[start:start + columns].rstrip() for start in range(0, len(octets), columns)]
        return "\n".join(rows).rstrip()

    def shows(self, text):
        eventually(lambda: text in self.text(), f"{text!r} on the console")
        return self

    def hides(self):
        """Waits until the program has turned echo off for its prompt."""
        eventually(lambda: not termios.tcgetattr(self.terminal)[3] & termios.ECHO, "a prompt without echo")
        return self

    def types(self, text):
        for octet in text + "\n":
            fcntl.ioctl(self.terminal, termios.TIOCSTI, octet.encode())
        return self
