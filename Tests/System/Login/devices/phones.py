# SPDX-License-Identifier: Apache-2.0
# Second devices at mpind's public address, and real programs that wait for one of them.
import contextlib
import functools
import os
import re
import subprocess

import pexpect

from device import Device
from house import CONF, MPIND_CONF, PUBLIC, SETUID, as_user, plain, replaced, run, site
from proxy import Front
from support import LOG

NAME = "login.example.org"
ORIGIN = f"https://{NAME}"
REFUSED = 1
ASKED = r"pproval code from your phone[^:]*: "
ADDRESS = re.compile(re.escape(ORIGIN) + "/#([0-9a-f]{32})")
NUMBER = re.compile(r"\b([0-9]{3}) ([0-9]{4})\b")


def phone_settings(more="", backend=f"unix:{PUBLIC}"):
    """mpin.conf of a host that shows QR codes, while the block runs."""
    return replaced(CONF, f"backend = {backend}\nphone-address = {ORIGIN}/\n{more}\n")


def front(*faults):
    """A front for mpind at its public address; the devices are enrolled first."""
    phones()
    return unasked_front(*faults)


def unasked_front(*faults):
    return Front(PUBLIC, *faults, name=NAME, port=443)


class Phone(Device):
    """A user's phone at mpind's public address, which belongs to an account that no other device uses."""

    def __init__(self, identity, account=None, code=None, server=None):
        account = account or identity.split("@")[0]
        run("useradd", "--create-home", account)
        with contextlib.nullcontext(server) if server else unasked_front() as server:
            super().__init__(account, identity, "--ca-file", server.certificate, backend=ORIGIN, code=code)
        self.identity = identity

    def approves(self, code):
        """Approves the login of this address or number, and returns the approval code."""
        done = self.approve(code)
        self.attempt = done["attempt"]
        return done["code"]

    def fails(self, code, *options, pin=None):
        """Tries to approve and must fail: the message."""
        return self.approve(code, *options, pin=pin, status=REFUSED)["error"]["message"]


class PhoneLogin:
    """A login that waits for a second device: a program at a terminal, up to its prompt."""

    def __init__(self, *command, size=(24, 80)):
        self.mark = LOG.mark()
        self.child = pexpect.spawn(command[0], list(command[1:]), encoding="utf-8", codec_errors="replace",
                                   timeout=60, dimensions=size)
        self.waits()

    def waits(self):
        """Waits for the next prompt."""
        self.child.expect(ASKED)
        self.screen = plain(self.child.before + self.child.after)
        if address := ADDRESS.search(self.screen):
            self.address, self.wid = address[0], address[1]
        if number := NUMBER.search(self.screen):
            self.number = number[1] + number[2]
        return self

    def types(self, text):
        self.child.waitnoecho()
        self.child.sendline(text)
        return self

    def ends(self):
        """What the program printed after the answer, and the exit status."""
        self.child.expect(pexpect.EOF)
        self.child.close()
        return plain(self.child.before).strip(), self.child.exitstatus

    def closes(self):
        self.child.close(force=True)


def sudo(user, *options):
    return PhoneLogin(*as_user(user), "sudo", "-k", *options, "id", "-un")


def pamtester(user, service="mpin", **items):
    """A login by pamtester, whose screen names the result; items are tty, rhost and so on."""
    options = [word for name, value in items.items() for word in ("-I", f"{name}={value}")]
    return PhoneLogin(*SETUID, "pamtester", *options, service, user, "authenticate")


class Phones:
    """dora has a device, erin a device and a PIN; mallory's device belongs to no account."""

    erin_pin = "Plover-3310"

    def __init__(self):
        mpind = site().mpind
        with open("/etc/hosts", "a") as hosts:
            hosts.write(f"127.0.0.1 {NAME}\n")
        mpind.stop()
        with open(MPIND_CONF, "a") as conf:
            conf.write(f"public-url = {ORIGIN}\n")
        mpind.start()
        mpind.enrol(self.account("erin"), "erin@example.org", self.erin_pin, "--remote")
        self.mallory = Phone("mallory@example.org")
        self.dora, self.erin = self.new("dora"), self.new("erin")

    def account(self, user):
        """Creates an account that may use sudo."""
        run("useradd", "--create-home", "--shell", "/bin/bash", user)
        with open("/etc/sudoers.d/phones", "a") as file:
            file.write(f"{user} ALL=(ALL) ALL\n")
        os.chmod("/etc/sudoers.d/phones", 0o440)
        return user

    def new(self, user):
        """A device for this account, which is created if it does not exist."""
        if subprocess.run(["getent", "passwd", user], capture_output=True).returncode:
            self.account(user)
        device = Phone(f"{user}-phone@example.org")
        run("mpin", "allow", user, device.id, "--way", "phone", "--label", device.identity)
        return device

    def unlock(self):
        for identity in "dora-phone@example.org", "erin-phone@example.org", "erin@example.org":
            site().mpind.unlock(identity)


@functools.cache
def phones():
    return Phones()
