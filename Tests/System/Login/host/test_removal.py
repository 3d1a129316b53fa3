# SPDX-License-Identifier: Apache-2.0
# What the removal of mpin-server does to the stacks of this host, depending on the server that they use.
import contextlib
import glob
import os

from house import CONF, MPIND_CONF, PUBLIC, as_user, finish, spawn
from phones import NAME, ORIGIN, phones, unasked_front
from support import CHECKOUT, absent, equal, replaced, within
from test_setup import DEBIAN, PIN, both, contents, enrolled, fresh, stacks, write

PRERM = f"{CHECKOUT}/packaging/debian/mpin-server.prerm"
OTHER = "https://mpin.example.net"
PLAIN = "auth [success=done ignore=ignore default=die] pam_mpin.so"


@contextlib.contextmanager
def host():
    """A host on which only sudo uses M-Pin, switched on by setup: mpin.conf as setup wrote it."""
    phones()
    with fresh():
        ours = [path for path in glob.glob("/etc/pam.d/*") if "pam_mpin.so" in contents(path)]
        for path in ours:
            os.rename(path, f"/etc/{os.path.basename(path)}.kept")
        try:
            enrolled("--service", "sudo")
            yield contents(CONF)
        finally:
            for path in ours:
                os.rename(f"/etc/{os.path.basename(path)}.kept", path)


def removed(status=0):
    """Runs the package's prerm script as dpkg does: what it prints."""
    return both(["sh", PRERM, "remove"], status, None)


def sudo():
    """Whether alice becomes root with her PIN."""
    child = spawn(*as_user("alice"), "sudo", "-k", "id", "-un")
    child.expect("(PIN for|assword).*: ")
    child.waitnoecho()
    child.sendline(PIN)
    screen, status = finish(child)
    return screen.split()[-1:] == ["root"] and status == 0


def unnamed():
    """mpind.conf without a public address."""
    return contents(MPIND_CONF).replace("public-url", "# public-url")


def asking(before, backend, more=""):
    """mpin.conf of a host that uses this server, or these servers."""
    return before.replace(f"backend = unix:{PUBLIC}\n", backend) + more


def test_another_server():
    """removing mpin-server does not change the stacks of a host that uses another server; logins still
    work"""
    with host() as conf:
        on = stacks()
        within(on["sudo"], "pam_mpin.so")
        with unasked_front() as server, replaced("/etc/mpin/other.pem", contents(server.certificate)):
            for public in "", "public-url = https://elsewhere.example.org\n", f"# public-url = {ORIGIN}\n":
                with replaced(MPIND_CONF, unnamed() + public):
                    write(CONF, asking(conf, f"backend = {ORIGIN}\nca-file = /etc/mpin/other.pem\n"))
                    equal((removed(), stacks()), ("", on), public)
            # As if this server were gone: the other one lets alice in.
            assert sudo()


def test_one_of_both():
    """mpin-server is not removed while some services use only it and others another server; nothing
    changes"""
    with host() as conf:
        on = stacks()
        login = DEBIAN["login"]
        for text, line in (
            (asking(conf, f"backend = {OTHER}\n", f"[sudo]\nbackend = unix:{PUBLIC}\n"), ""),
            (asking(conf, f"backend = unix:{PUBLIC}\n", f"[login]\nbackend = {OTHER}\n"), ""),
            (conf, f"{PLAIN} backend={OTHER}\n"),
        ):
            write(CONF, text)
            write("/etc/pam.d/login", line + login)
            before = stacks()
            within(removed(status=1), "some services of this host ask only this server, others another.",
                   "mpin setup --undo")
            equal(stacks(), before)
        write("/etc/pam.d/login", login)
        # Two replicas, one of which is this server: the other keeps running.
        write(CONF, asking(conf, f"backend = unix:{PUBLIC}\nbackend = {OTHER}\n"))
        equal((removed(), stacks()), ("", on))
        write(CONF, asking(conf, f"backend = {OTHER}\n", f"[sudo]\nbackend = unix:{PUBLIC}\n"))
        for name, text in DEBIAN.items():
            write(f"/etc/pam.d/{name}", text)
        # If no stack uses M-Pin, the server does not matter.
        equal((removed(), stacks()), ("", DEBIAN))


def test_by_its_own_address():
    """a backend with this server's own https address is this server: the stacks are switched off"""
    with host() as conf:
        on, kept = stacks(), unnamed()
        loud = f"https://{NAME.upper()}/"
        for own, backend in (ORIGIN, ORIGIN), (f"{ORIGIN}:443/", ORIGIN), (ORIGIN, loud):
            for name, text in on.items():
                write(f"/etc/pam.d/{name}", text)
            with replaced(MPIND_CONF, f"{kept}\npublic-url = {own}\n"):
                write(CONF, asking(conf, f"backend = {backend}\n"))
                said = removed()
            within(said, "mpin-server: Logins on this host ask this server. M-Pin is switched off in: sudo")
            absent(said, "not removed")
            equal(stacks(), DEBIAN)
