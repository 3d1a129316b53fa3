# SPDX-License-Identifier: Apache-2.0
# The log of the sandbox: what its programs send to syslog.
import os
import re
import socket
import threading

from support.assertions import eventually


class Log:
    """Receives what the programs of the sandbox send to syslog."""

    def __init__(self):
        self.lines, self.marks = [], 0
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)

    def open(self):
        self.socket.bind("/dev/log")
        os.chmod("/dev/log", 0o666)
        threading.Thread(target=self._receive, daemon=True).start()

    def _receive(self):
        while True:
            self.lines.append(self.socket.recv(65536).decode("latin-1"))

    def mark(self):
        """The current end of the log: everything sent before is already in it."""
        self.marks += 1
        said = f"<15>mark {self.marks}"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
            end.sendto(said.encode(), "/dev/log")
        eventually(lambda: said in self.lines, "the end of the log")
        return len(self.lines)

    def since(self, mark, containing=""):
        self.mark()
        return [line for line in self.lines[mark:] if containing in line and "<15>" not in line]

    def record(self, mark, containing="pam_mpin"):
        """The last line since `mark` that the module wrote, as its priority and a dictionary of its pairs."""
        lines = eventually(lambda: self.since(mark, containing), f"a log line with {containing}")
        priority = int(re.match(r"<(\d+)>", lines[-1])[1])
        pairs = dict(re.findall(r' ([a-z0-9-]+)="([^"]*)"', lines[-1]))
        return priority & 7, pairs, lines[-1]


LOG = Log()
