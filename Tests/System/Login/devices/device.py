# SPDX-License-Identifier: Apache-2.0
# Second devices: accounts with a personal token, and `mpin` as they run it.
import functools
import itertools
import json

from house import PUBLIC, as_user, run, site

PIN = "Osprey-27"


class Device:
    """A device that belongs to one account: `mpin` run by that account."""

    def __init__(self, user, identity, *options, backend=f"unix:{PUBLIC}", code=None):
        self.user, self.pin = user, PIN
        code = code or site().mpind.admin("user", "add", identity)["activationCode"]
        self.enrolled = self.mpin("enroll", "--personal", "--identity", identity, "--backend", backend,
                                  *options, pin=PIN, code=code)
        self.id = self.enrolled["identity"]["id"]

    def mpin(self, *words, pin=None, code=None, status=0):
        fds = {}
        if pin is not None:
            fds["--pin-fd"] = pin + "\n"
        if code is not None:
            fds["--code-fd"] = code + "\n"
        # The environment is that of a session of the account.
        return json.loads(run(*as_user(self.user), "mpin", *words, "--json", fds=fds, status=status) or "{}")

    def approve(self, what, *options, pin=None, status=0):
        return self.mpin("approve", what, *options, pin=pin or self.pin, status=status)

    @property
    def tokens(self):
        return f"/home/{self.user}/.local/state/mpin"


@functools.cache
def device():
    """alice's device, enrolled once."""
    return Device("alice", "alice@phone.example.org")


@functools.cache
def persons():
    return itertools.count(1)


def another_device(*options, identity="alice@phone.example.org", **server):
    """A device of a new account, because an account may look up only ten numbers in a minute."""
    person = f"person{next(persons())}"
    run("useradd", "--create-home", person)
    return Device(person, identity, *options, **server)
