# SPDX-License-Identifier: Apache-2.0
# A command of mpind that serves, as a process with its log in a file.
import re
import subprocess

from support.assertions import eventually

PATIENCE = 60


class Process:
    """One command of mpind that serves, run by `user` if there is one."""

    def __init__(self, log, *words, user=None):
        self.log, self.words, self.running = log, words, None
        self.acting = {"user": user, "group": user, "extra_groups": []} if user else {}

    def start(self, waits=True):
        with open(self.log, "w", encoding="utf-8") as log:
            self.running = subprocess.Popen(self.words, stderr=log, **self.acting)
        if waits:
            self.says("^ready")

    def said(self):
        with open(self.log, encoding="utf-8", errors="replace") as log:
            return log.read()

    def says(self, pattern):
        """Waits until it has logged this."""
        def is_said():
            has_ended = self.running.poll() is not None
            found = re.search(pattern, self.said(), re.M)
            assert found or not has_ended, f"it ended: {self.said()}"
            return found
        eventually(is_said, f"{pattern} in {self.log}")

    def refuses(self):
        """Starts it; the sentence with which it ends."""
        self.start(waits=False)
        assert self.running.wait(PATIENCE) == 2, self.said()
        return self.said()

    def kill(self):
        if self.running and self.running.poll() is None:
            self.running.kill()
            self.running.wait(PATIENCE)

    def end(self):
        self.running.terminate()
        return self.running.wait(PATIENCE)
