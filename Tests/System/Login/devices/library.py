# SPDX-License-Identifier: Apache-2.0
# An app made with the library: it registers with a code, and approves one login whose address it gets.
import os
import subprocess

from house import site
from phones import ORIGIN
from support import CHECKOUT

FLOWS = os.path.join(CHECKOUT, ".build/release/mpin-flows")


class App:
    """Used by `with`; `server` is the front at the public address."""

    def __init__(self, server, identity):
        code = site().mpind.admin("user", "add", identity)["activationCode"]
        self.identity = identity
        self.process = subprocess.Popen(
            [FLOWS, "approve", "--backend", ORIGIN, "--authorities", server.certificate, "--user", identity,
             "--code", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        said = self.line()
        assert said == "registered", said

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def line(self):
        return self.process.stdout.readline().strip()

    @property
    def id(self):
        return site().mpind.admin("user", "show", self.identity)["user"]["identities"][-1]["id"]

    def approves(self, code):
        """Approves the login of this address: the app's line about the login, and its last line."""
        self.process.stdin.write(code + "\n")
        self.process.stdin.flush()
        said = [self.line() for _ in range(3)]
        assert self.process.wait(60) == 0 and said[0].startswith("ok   "), said
        return said[1:]
