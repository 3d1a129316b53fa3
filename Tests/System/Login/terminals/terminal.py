# SPDX-License-Identifier: Apache-2.0
# A terminal of a given size and locale (tmux) in which one program runs, and what a user sees on it.
import itertools
import os
import subprocess
import termios

from support import eventually

NUMBERS = itertools.count()


class Terminal:
    """Used by `with`; `locale` is the program's LC_ALL. The terminal itself draws UTF-8."""

    def __init__(self, *command, size=(80, 24), locale="C.UTF-8"):
        self.command, self.size, self.locale = command, size, locale
        # Each terminal has a tmux server, which ends with its session.
        name = f"screen-{next(NUMBERS)}"
        self.tmux, self.status = ["tmux", "-u", "-f", "/dev/null", "-L", name], f"/run/{name}"

    def __enter__(self):
        columns, rows = map(str, self.size)
        # The program's output stays on the screen, without a status line of tmux.
        options = ["set", "-g", "status", "off", ";", "set", "-g", "remain-on-exit", "on", ";",
                   "set", "-g", "remain-on-exit-format", "", ";"]
        self._tmux(*options, "new-session", "-d", "-x", columns, "-y", rows,
                   "sh", "-c", f'trap : INT; LC_ALL=$0 TERM=xterm "$@"; echo $? >{self.status}', self.locale,
                   *self.command)
        return self

    def __exit__(self, *_):
        subprocess.run([*self.tmux, "kill-server"], capture_output=True)

    def _tmux(self, *words):
        done = subprocess.run([*self.tmux, *words], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout

    def _ask(self, name):
        return self._tmux("display-message", "-p", f"#{{{name}}}").strip()

    def lines(self):
        """The rows of the screen without trailing blanks."""
        return [line.rstrip() for line in self._tmux("capture-pane", "-p").split("\n")][:self.size[1]]

    def text(self):
        return "\n".join(self.lines())

    def joined(self):
        """The same with wrapped lines joined, and with the blanks that were written."""
        return self._tmux("capture-pane", "-p", "-J")

    def shows(self, text):
        """Waits until the screen shows the text; wrapped lines count as one."""
        eventually(lambda: text in self.joined(), f"{text!r} on the screen")
        return self

    def hides(self):
        """Waits until the program has turned echo off for its prompt."""
        def off():
            with open(self._ask("pane_tty"), "rb", buffering=0) as tty:
                return not termios.tcgetattr(tty)[3] & termios.ECHO

        eventually(off, "a terminal without echo")
        return self

    def types(self, text, enter=True):
        if text:
            self._tmux("send-keys", "-l", "--", text)
        if enter:
            self._tmux("send-keys", "Enter")
        return self

    def remembered(self):
        """Everything that the terminal keeps, including what has scrolled off the screen."""
        return self._tmux("capture-pane", "-p", "-S", "-")

    def process(self):
        """The program's process id: that of the shell's child."""
        shell = self._ask("pane_pid")
        return int(subprocess.run(["pgrep", "-P", shell], capture_output=True, text=True).stdout)

    def resizes(self):
        """Sets the window to the current `size`."""
        columns, rows = map(str, self.size)
        self._tmux("resize-window", "-x", columns, "-y", rows)
        return self

    def interrupts(self):
        self._tmux("send-keys", "C-c")
        return self

    def ends(self):
        """Waits for the end of the program, and returns its status."""
        eventually(lambda: os.path.exists(self.status), "the end of the program")
        return int(eventually(lambda: open(self.status).read(), "its status"))

    def cursor(self):
        return int(self._ask("cursor_x")), int(self._ask("cursor_y"))
