# SPDX-License-Identifier: Apache-2.0
# A host without problems, what `mpin doctor` reports about it, and single faults introduced for a while.
import contextlib
import functools
import json
import os
import subprocess

from house import PREPARED, run, site, stack
from proxy import Fault
from support import equal, replaced, within

SSHD_CONF = "/etc/ssh/sshd_config.d/00-mpin.conf"
ROOTS_KEYS = os.path.expanduser("~root/.ssh/authorized_keys")
METHODS = "AuthenticationMethods publickey,keyboard-interactive:pam"
SSHD = METHODS + """
KbdInteractiveAuthentication yes
PasswordAuthentication no
UsePAM yes
Match User root
    AuthenticationMethods publickey
"""


class Told:
    """What one run reports."""

    def __init__(self, *options, prefix=()):
        done = subprocess.run([*prefix, "mpin", "doctor", "--json", *options], capture_output=True, text=True,
                              timeout=120)
        equal(done.stderr, "")
        self.status, told = done.returncode, json.loads(done.stdout)
        self.findings, self.mended = told["findings"], told["mended"]
        self.problems = told["problems"]
        for finding in self.findings:
            assert finding["level"] == "ok" or finding["word"] == "first-factor" or finding["advice"], finding

    def words(self, *levels):
        return sorted({finding["word"] for finding in self.findings if finding["level"] in levels})

    @property
    def wrong(self):
        return self.words("problem", "warning")

    def about(self, word):
        return [finding for finding in self.findings if finding["word"] == word]


@functools.cache
def once():
    """Makes the sandbox a host as the manual recommends it; once for each test file."""
    site()
    os.makedirs("/run/sshd", mode=0o755, exist_ok=True)
    run("ssh-keygen", "-A")
    with open(SSHD_CONF, "w") as file:
        file.write(SSHD)
    # Removes the services that other tests left, which have no setting for their seats.
    for name in os.listdir("/etc/pam.d"):
        with open(f"/etc/pam.d/{name}") as file:
            asks = "pam_mpin.so" in file.read()
        if asks:
            os.unlink(f"/etc/pam.d/{name}")
    for service in "sudo", "su", "login", "sshd":
        stack(service, "auth required pam_mpin.so")
    for service in "mpin", "mpin-or-pass":
        stack(service, "auth required pam_mpin.so remote=no")
    keys = os.path.dirname(ROOTS_KEYS)
    run("install", "-d", "-m", "700", keys)
    for key in f"{keys}/id", ROOTS_KEYS:
        if os.path.exists(key):
            os.unlink(key)
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", f"{keys}/id")
    os.rename(f"{keys}/id.pub", ROOTS_KEYS)
    run("mpin", "doctor", "--fix", status=None)


PREPARED.append(once)


def edited(path, old, new):
    """`path` with `old` replaced by `new`, while the block runs."""
    with open(path) as file:
        text = file.read()
    assert old in text, (path, old)
    return replaced(path, text.replace(old, new))


@contextlib.contextmanager
def stacked(service, *lines):
    path = f"/etc/pam.d/{service}"
    with open(path) as file:
        before = file.read()
    stack(service, *lines)
    try:
        yield
    finally:
        with open(path, "w") as file:
            file.write(before)


def shows(broken, *words, status=1, says=()):
    """Doctor reports these words as problems or warnings while the block `broken` runs, with this exit
    status."""
    with broken:
        told = Told()
        for word in words:
            assert word in told.wrong, (word, told.findings)
            for part in says:
                within(told.about(word)[0]["message"] + told.about(word)[0]["advice"], part)
        equal(told.status, status, words)
    return told


class Leads(Fault):
    """The true settings, except for the address where logins are redeemed."""

    def __init__(self, url):
        super().__init__("clientSettings")
        self.url = url

    def instead(self, handler, body):
        status, answer, headers = handler.forward(body)
        changed = json.dumps({**json.loads(answer), "authenticateURL": self.url}).encode()
        handler.answer(status, changed, headers)
        return True


class Dates(Fault):
    """The true answers with another date."""

    def __init__(self, date):
        super().__init__("/")
        self.date = date

    def instead(self, handler, body):
        status, answer, headers = handler.forward(body)
        headers = [(name, value) for name, value in headers if name.lower() != "date"]
        handler.answer(status, answer, [*headers, ("Date", self.date)])
        return True
