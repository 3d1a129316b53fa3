# SPDX-License-Identifier: Apache-2.0
# `mpin setup` on a host with Debian's own stacks: what it switches on, refuses and leaves behind.
import contextlib
import glob
import json
import os
import shutil

from as_systemd import AsSystemd
from doctor import ROOTS_KEYS
from house import (ADMIN, CONF, MPIND_CONF, PASSED, PUBLIC, STORE, as_user, finish, pamtester, run, site,
                   spawn)
from support import absent, equal, replaced, within

PIN, HOST, IDENTITY = "Kestrel-4711", "newhost", "alice@newhost"
SERVICES = "sudo", "sudo-i", "sshd", "login", "su"
DROP_IN = "/etc/ssh/sshd_config.d/00-mpin.conf"
BEGIN, END = "# mpin setup: begin", "# mpin setup: end"


def contents(path):
    with open(path) as file:
        return file.read()


# Read before the site replaces these stacks.
DEBIAN = {name: contents(f"/etc/pam.d/{name}") for name in SERVICES}


def stacks():
    return {name: contents(f"/etc/pam.d/{name}") for name in SERVICES}


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


@contextlib.contextmanager
def fresh():
    """A host with newly installed packages; afterwards the tests' site is restored."""
    site()
    kept, conf = stacks(), contents(CONF)
    os.rename(STORE, STORE + ".kept")
    os.unlink(CONF)
    # Moves away what the doctor's tests made: root's key would let root log in.
    aside = [path for path in (ROOTS_KEYS, DROP_IN) if os.path.exists(path)]
    for path in aside:
        os.rename(path, path + ".kept")
    for name, text in DEBIAN.items():
        write(f"/etc/pam.d/{name}", text)
    try:
        yield
    finally:
        shutil.rmtree(STORE, ignore_errors=True)
        os.rename(STORE + ".kept", STORE)
        write(CONF, conf)
        for path in glob.glob("/etc/pam.d/.*.mpin-new") + glob.glob(DROP_IN):
            os.unlink(path)
        for path in aside:
            os.rename(path + ".kept", path)
        for name, text in kept.items():
            if os.path.islink(f"/etc/pam.d/{name}"):
                os.unlink(f"/etc/pam.d/{name}")
            write(f"/etc/pam.d/{name}", text)


def setup(*words, pin=PIN, status=0):
    """`mpin setup` as a program calls it: what it prints on both outputs."""
    command = ["mpin", "setup", "--yes", "--backend", "here", "--host", HOST, *words]
    return both(command, status, {"--pin-fd": pin + "\n"} if pin else None)


def both(command, status, fds):
    """The text of both outputs of a command."""
    return run("sh", "-c", 'exec "$@" 2>&1', "sh", *command, status=status, fds=fds)


def enrolled(*words):
    """Gives alice a PIN and switches the named stacks on."""
    return setup("--user", f"alice={IDENTITY}", *words)


def sudo(user, *answers):
    """What sudo shows to a user who types these answers, and the exit status."""
    child = spawn(*as_user(user), "sudo", "-k", "id", "-un")
    screen = ""
    for answer in answers:
        child.expect("(PIN for|password for|Password)[^:]*: ")
        screen += child.before + child.after
        child.sendline(answer)
    rest, status = finish(child)
    return screen + rest, status


def test_first_use():
    """setup enrols alice, proves her login and switches sudo on; bob's password still works; undo restores
    everything"""
    with fresh():
        report = json.loads(setup("--user", f"alice={IDENTITY}", "--json"))
        equal((report["enrolled"], report["proved"]), (["alice"], "alice"))
        equal(report["switchedOn"], ["sudo", "sudo-i"])
        text = contents("/etc/pam.d/sudo")
        within(text, f"{BEGIN}\n", f"{END}\n@include common-auth")
        screen, status = sudo("alice", PIN)
        within(screen, f"PIN for {IDENTITY}", "root")
        equal(status, 0)
        screen, status = sudo("alice", "unix-alice")
        equal(status, 1)
        site().mpind.unlock(IDENTITY)
        screen, status = sudo("bob", "unix-bob")
        within(screen, "password for bob", "root")
        equal(status, 0)
        within(setup("--user", f"alice={IDENTITY}", pin=None), "switched on for sudo")
        equal(contents("/etc/pam.d/sudo"), text)
        equal(sorted(os.listdir(f"{STORE}/before")), ["sudo", "sudo-i"])
        within(both(["mpin", "setup", "--undo"], 0, None), "/etc/pam.d/sudo is as it was")
        equal(stacks(), DEBIAN)
        assert not os.path.exists(f"{STORE}/before")
        within(both(["mpin", "setup", "--undo"], 0, None), "mpin setup has changed nothing here")


def test_other_people():
    """`mpin enroll --here` gets its code from the server, and needs no name for the account"""
    with fresh():
        enrolled()
        report = json.loads(run("mpin", "enroll", "bob", "--here", "--json", fds={"--pin-fd": "8256-kiwi\n"}))
        equal((report["identity"]["label"], report["proved"]), (f"bob@{HOST}", True))
        within(sudo("bob", "8256-kiwi")[0], "root")


def test_dry_run():
    """a dry run shows each file before and after, and changes nothing"""
    def everything():
        return {path: os.stat(path, follow_symlinks=False).st_mtime_ns
                for path in glob.glob("/etc/**", recursive=True) + glob.glob(STORE + "*/**", recursive=True)
                + glob.glob("/run/*")}
    with fresh():
        before = everything()
        said = setup("--dry-run", "--service", "sudo", "--service", "su", "--user", "alice", pin=None)
        within(said, "+++ /etc/pam.d/sudo", "+auth [success=done ignore=ignore default=die] pam_mpin.so",
               "+++ /etc/mpin/mpin.conf", "+backend = unix:", "nothing was changed", "pam_rootok.so (line")
        equal(set(everything().items()) ^ set(before.items()), set())


def test_wrong_pin():
    """a wrong PIN at the proof, or no user to prove a login, switches nothing on"""
    with fresh():
        within(setup("--service", "sudo", "--service", "login", pin=None), "nothing is switched on")
        equal(stacks(), DEBIAN)
        run("mpin", "enroll", "alice", "--here", "--identity", IDENTITY, fds={"--pin-fd": PIN + "\n"})
        said = setup("--service", "sudo", "--service", "login", pin="Kestrel-0000", status=1)
        within(said, "Wrong PIN. Tries left: 2. Nothing was switched on.")
        equal(stacks(), DEBIAN)
        assert not os.path.exists(DROP_IN)
        site().mpind.unlock(IDENTITY)
        within(setup(), "switched on for sudo")


def test_factors():
    """with `first` the password still lets in, with `second` both PIN and password are needed; su asks all
    users but root for both"""
    with fresh():
        enrolled("--factor", "first")
        screen, status = sudo("alice", "Kestrel-0000", "unix-alice")
        equal(status, 0)
        within(screen, "Wrong PIN", "root")
        site().mpind.unlock(IDENTITY)
        setup("--factor", "second", "--service", "sudo", "--service", "su", pin=f"{PIN}\nunix-alice")
        equal(sudo("alice", PIN, "unix-alice")[1], 0)
        equal(sudo("alice", PIN, "unix-bob")[1], 1)
        equal(run("su", "alice", "-c", "id -un"), "alice\n")
        child = spawn(*as_user("bob"), "su", "alice", "-c", "id -un")
        for answer in PIN, "unix-alice":
            child.expect("(PIN for|Password)[^:]*: ")
            child.sendline(answer)
        within(finish(child)[0], "alice")
        both(["mpin", "setup", "--undo"], 0, None)
        equal(stacks(), DEBIAN)


def test_desktops():
    """setup asks whether gdm is used only at this host, and then makes its daemon a seat"""
    with fresh():
        write("/etc/pam.d/gdm-password", "auth required pam_unix.so\naccount required pam_permit.so\n")
        try:
            child = spawn("mpin", "setup", "--host", HOST, "--backend", "here", "--service", "gdm-password",
                          "--user", "alice")
            asks = r"Do people log in by gdm-password only at this machine.*\[yes\] "
            for question, answer in (asks, ""), ("Do all this", "n"):
                child.expect(question)
                child.sendline(answer)
            within(finish(child)[0], "Cancelled")
            enrolled("--service", "sudo", "--service", "gdm-password")
            conf = contents(CONF)
            within(conf, "[gdm-password]", "remote = no")
            equal(conf.count("remote"), 1)
            equal(pamtester("gdm-password", "alice", PIN + "\n", seat=())[0], PASSED)
            # Without the option the earlier answer is kept; with it the answer changes.
            setup("--service", "gdm-password", "--factor", "first")
            equal(contents(CONF), conf)
            setup("--service", "gdm-password", "--desktop", "remote")
            absent(contents(CONF), "remote")
        finally:
            os.unlink("/etc/pam.d/gdm-password")


def test_people_at_a_terminal():
    """at a terminal setup asks for what is missing, says first what it will do, and lets the user repeat a
    wrong PIN"""
    with fresh():
        child = spawn("mpin", "setup", "--host", HOST)
        for question, answer in [
                ("Where is the M-Pin server.*\\[here\\] ", ""), ("Which services.*\\[sudo\\] ", ""),
                ("Which account.*: ?|Which account.*\\] ", "alice"),
                ("Make backup codes for alice.*\\[yes\\] ", ""), ("Do all this", "y"),
                ("New PIN for alice: ", PIN), ("again: ", PIN)]:
            child.expect(question)
            child.sendline(answer)
        screen, status = finish(child)
        within(screen, "switched on for sudo", "proved it")
        equal(status, 0)
        child = spawn("mpin", "setup", "--undo", "--service", "sudo")
        within(finish(child)[0], "/etc/pam.d/sudo is as it was")
        child = spawn("mpin", "setup", "--service", "sudo", "--user", "alice")
        child.expect("Do all this")
        child.sendline("n")
        within(finish(child)[0], "Cancelled")
        equal(stacks(), DEBIAN)
        child = spawn("mpin", "setup", "--service", "sudo", "--user", "alice", "--factor", "second")
        for question, answer in (
                ("Do all this", "y"), ("PIN of alice", "Kestrel-0000"),
                (r"Wrong PIN\. Tries left: 2\.\s+PIN of alice", PIN), ("Unix password", "unix-alice")):
            child.expect(question)
            child.sendline(answer)
        within(finish(child)[0], "switched on for sudo")
        equal(sudo("alice", PIN, "unix-alice")[1], 0)


def test_new_server():
    """without a server setup creates one that _mpind owns, and says what to start if systemd does not run"""
    mpind = site().mpind
    places = [MPIND_CONF, "/var/lib/mpind", "/var/lib/mpind-ta"]
    mpind.stop()
    for path in places:
        os.rename(path, path + ".kept")
    try:
        with fresh():
            within(setup("--user", f"alice={IDENTITY}", status=3), "Start 'mpind serve'")
            within(contents(MPIND_CONF), f"listen = unix:{PUBLIC}", f"admin-socket = {ADMIN}")
            equal(stacks(), DEBIAN)
            with AsSystemd():
                within(enrolled(), "switched on for sudo")
                within(sudo("alice", PIN)[0], "root")
    finally:
        for path in places:
            if os.path.isdir(path):
                shutil.rmtree(path)
            os.rename(path + ".kept", path)
        mpind.start()


def test_elsewhere():
    """for a server on another machine both codes are read from one descriptor, one a line"""
    mpind = site().mpind
    with fresh():
        hosts = [host["host"] for host in mpind.admin("host", "list")["hosts"]]
        join = mpind.admin("host", "rotate" if HOST in hosts else "add", HOST)["joinCode"]
        activation = mpind.admin("user", "add", IDENTITY)["activationCode"]
        # mpind.conf names another place, so that the socket does not count as this host's server.
        with replaced(MPIND_CONF, "listen = unix:/run/mpind/nobody.sock\n"):
            said = both(
                ["mpin", "setup", "--yes", "--backend", f"unix:{PUBLIC}", "--host", HOST, "--user",
                 f"alice={IDENTITY}"], 0, {"--pin-fd": PIN + "\n", "--code-fd": f"{join}\n{activation}\n"})
        within(said, "switched on for sudo")
        within(sudo("alice", PIN)[0], "root")
