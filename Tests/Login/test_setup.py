# SPDX-License-Identifier: Apache-2.0
# `mpin setup` on a host with Debian's own stacks: what it switches on, refuses and leaves behind.
import contextlib
import glob
import json
import os
import random
import shutil
import subprocess
import time

from harness import LONG, equal, eventually, replaced, test, within
from house import ADMIN, CONF, MPIND_CONF, PUBLIC, STORE, as_user, finish, run, site, spawn
from test_sshd import CLIENT_KEY, SSH, key_for

PIN, HOST, IDENTITY = "Kestrel-4711", "newhost", "alice@newhost"
SERVICES = "sudo", "sshd", "login", "su"
DROP_IN = "/etc/ssh/sshd_config.d/mpin.conf"
BEGIN, END = "# mpin setup: begin", "# mpin setup: end"


def contents(path):
    with open(path) as file:
        return file.read()


# Before the site puts stacks of its own there.
DEBIAN = {name: contents(f"/etc/pam.d/{name}") for name in SERVICES}


def stacks():
    return {name: contents(f"/etc/pam.d/{name}") for name in SERVICES}


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


@contextlib.contextmanager
def fresh():
    """A host whose packages were just installed; afterwards it is the tests' site again."""
    site()
    kept, conf = stacks(), contents(CONF)
    os.rename(STORE, STORE + ".kept")
    os.unlink(CONF)
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
        for name, text in kept.items():
            if os.path.islink(f"/etc/pam.d/{name}"):
                os.unlink(f"/etc/pam.d/{name}")
            write(f"/etc/pam.d/{name}", text)


def setup(*words, pin=PIN, status=0):
    """`mpin setup` as a program calls it: what it says on both outputs."""
    command = ["mpin", "setup", "--yes", "--backend", "here", "--host", HOST, *words]
    return both(command, status, {"--pin-fd": pin + "\n"} if pin else None)


def both(command, status, fds):
    """Both outputs of a command."""
    return run("sh", "-c", 'exec "$@" 2>&1', "sh", *command, status=status, fds=fds)


def enrolled(*words):
    """alice has a PIN and the stacks named are on."""
    return setup("--user", f"alice={IDENTITY}", *words)


def sudo(user, *answers):
    """What sudo shows somebody who types these answers, and how it ends."""
    child = spawn(*as_user(user), "sudo", "-k", "id", "-un")
    screen = ""
    for answer in answers:
        child.expect("(PIN for|password for|Password)[^:]*: ")
        screen += child.before + child.after
        child.sendline(answer)
    rest, status = finish(child)
    return screen + rest, status


@test
def first_use():
    """setup enrols alice, proves her login and switches sudo on; bob's password still does; undo leaves no
    trace"""
    with fresh():
        report = json.loads(setup("--user", f"alice={IDENTITY}", "--json"))
        equal((report["enrolled"], report["proved"], report["switchedOn"]), (["alice"], "alice", ["sudo"]))
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
        equal(os.listdir(f"{STORE}/before"), ["sudo"])
        within(both(["mpin", "setup", "--undo"], 0, None), "/etc/pam.d/sudo is as it was")
        equal(stacks(), DEBIAN)
        assert not os.path.exists(f"{STORE}/before")
        within(both(["mpin", "setup", "--undo"], 0, None), "nothing of mpin setup's")


@test
def other_people():
    """`mpin enroll --here` takes its code from the server, and needs no name for whoever it is"""
    with fresh():
        enrolled()
        report = json.loads(run("mpin", "enroll", "bob", "--here", "--json", fds={"--pin-fd": "8256-kiwi\n"}))
        equal((report["identity"]["label"], report["proved"]), (f"bob@{HOST}", True))
        within(sudo("bob", "8256-kiwi")[0], "root")


@test
def dry_run():
    """a dry run shows each file before and after, and changes nothing"""
    def everything():
        files = sorted(glob.glob("/etc/**", recursive=True) + glob.glob("/var/lib/mpin*/**", recursive=True)
                       + glob.glob("/run/**", recursive=True))
        return [(path, os.stat(path, follow_symlinks=False).st_mtime_ns) for path in files
                if os.path.exists(path) and path != "/run"]
    with fresh():
        before = everything()
        said = setup("--dry-run", "--service", "sudo", "--service", "su", "--user", "alice", pin=None)
        within(said, "+++ /etc/pam.d/sudo", "+auth [success=done ignore=ignore default=die] pam_mpin.so",
               "+++ /etc/mpin/mpin.conf", "+backend = unix:", "nothing was changed", "pam_rootok.so (line")
        equal(everything(), before)


@test
def wrong_pin():
    """a wrong PIN at the proof, or nobody to prove it, switches nothing on"""
    with fresh():
        within(setup("--service", "sudo", "--service", "sshd", pin=None), "nothing is switched on")
        equal(stacks(), DEBIAN)
        run("mpin", "enroll", "alice", "--here", "--identity", IDENTITY, fds={"--pin-fd": PIN + "\n"})
        said = setup("--service", "sudo", "--service", "sshd", pin="Kestrel-0000", status=1)
        within(said, "Authentication failure", "Nothing was switched on")
        equal(stacks(), DEBIAN)
        assert not os.path.exists(DROP_IN)
        site().mpind.unlock(IDENTITY)
        within(setup(), "switched on for sudo")


@test
def factors():
    """with `first` the password stays a way in, with `second` PIN and password are needed; su asks for both
    of them, but not root"""
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


@test
def people_at_a_terminal():
    """at a terminal setup asks for what was not said, and says before what it will do"""
    with fresh():
        child = spawn("mpin", "setup", "--host", HOST)
        for question, answer in [
                ("Where is the M-Pin server.*\\[here\\] ", ""), ("Which services.*\\[sudo\\] ", ""),
                ("Which account.*: ?|Which account.*\\] ", "alice"), ("Do all this", "y"),
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


@test
def new_server():
    """without a server setup makes one, and says what to start where no systemd runs"""
    mpind = site().mpind
    places = [MPIND_CONF, "/var/lib/mpind", "/var/lib/mpind-ta"]
    with fresh():
        mpind.stop()
        for path in places:
            os.rename(path, path + ".kept")
        try:
            within(setup("--user", f"alice={IDENTITY}", status=3), "Start 'mpind serve'")
            within(contents(MPIND_CONF), f"listen = unix:{PUBLIC}", f"admin-socket = {ADMIN}")
            equal(stacks(), DEBIAN)
            mpind.start()
            within(enrolled(), "switched on for sudo")
            within(sudo("alice", PIN)[0], "root")
        finally:
            if mpind.process.poll() is None:
                mpind.stop()
            for path in places:
                if os.path.isdir(path):
                    shutil.rmtree(path)
                os.rename(path + ".kept", path)
            mpind.start()


@test
def elsewhere():
    """with a server that is not this host's both codes come from a descriptor, one a line"""
    mpind = site().mpind
    with fresh():
        hosts = [host["host"] for host in mpind.admin("host", "list")["hosts"]]
        join = mpind.admin("host", "rotate" if HOST in hosts else "add", HOST)["joinCode"]
        activation = mpind.admin("user", "add", IDENTITY)["activationCode"]
        # mpind.conf says another place, so that the socket is one like any other.
        with replaced(MPIND_CONF, "listen = unix:/run/mpind/nobody.sock\n"):
            said = both(
                ["mpin", "setup", "--yes", "--backend", f"unix:{PUBLIC}", "--host", HOST, "--user",
                 f"alice={IDENTITY}"], 0, {"--pin-fd": PIN + "\n", "--code-fd": f"{join}\n{activation}\n"})
        within(said, "switched on for sudo")
        within(sudo("alice", PIN)[0], "root")


def refused(name, text, *words):
    write(f"/etc/pam.d/{name}", text)
    said = setup("--service", name, "--user", f"alice={IDENTITY}", status=2)
    within(said, f"/etc/pam.d/{name}", "Nothing was changed", *words)
    equal(contents(f"/etc/pam.d/{name}"), text)
    assert not os.path.exists(CONF), "settings were written"


@test
def edited_by_hand():
    """a stack that somebody edited is refused with its line, and nothing at all is changed"""
    with fresh():
        refused("sudo", "auth perhaps pam_unix.so\n", ":1", "perhaps")
        refused("sudo", "# mine\nauth required pam_mpin.so\n@include common-auth\n", ":2", "by mpin setup")
        refused("sudo", "auth [success=1] pam_wheel.so\n@include common-auth\n", ":1", "by hand")
        refused("sudo", "account required pam_permit.so\n", "no place for a PIN")
        refused("sudo", f"{BEGIN}\n@include common-auth\n", "not a pair")
        write("/etc/pam.d/mine", DEBIAN["sudo"])
        os.unlink("/etc/pam.d/sudo")
        os.symlink("mine", "/etc/pam.d/sudo")
        within(setup("--user", "alice", status=2), "it is a link")
        os.unlink("/etc/pam.d/sudo")
        write("/etc/pam.d/sudo", DEBIAN["sudo"])
        within(setup("--service", "su-l", "--user", "alice", status=2), "--service su")
        within(setup("--service", "nothing", "--user", "alice", status=2), "no such file")
        within(setup("--service", "../shadow", "--user", "alice", status=2), "cannot be a PAM service")
        write(CONF, "backend = https://other.example.org\n")
        within(setup("--user", "alice", status=2), "--replace-settings", "unenrolled = ignore")
        equal(contents(CONF), "backend = https://other.example.org\n")
        equal(stacks(), DEBIAN)


@test
def way_back():
    """setup refuses what would leave root no way in, and goes on if told to"""
    shadow = contents("/etc/shadow")
    with fresh():
        try:
            run("usermod", "-p", "!locked", "root")
            words = ["--user", f"alice={IDENTITY}", "--unenrolled", "deny", "--service", "sudo"]
            within(setup(*words, status=1), "no way in", "--no-way-back")
            equal(stacks(), DEBIAN)
            assert not os.path.exists(CONF), "settings were written"
            run("chpasswd", input="root:unix-root\n")
            within(setup(*words), "switched on", "root's password by login")
            equal(sudo("bob", "unix-bob", "unix-bob")[1], 1)
            within(setup(*words, "--service", "su", "--service", "login", status=1), "no way in")
            within(setup(*words, "--service", "su", "--service", "login", "--no-way-back"), "switched on")
        finally:
            write("/etc/shadow", shadow)


@test
def full_disk():
    """on a full disk the stack stays as it is, whole, and setup goes on when there is room again"""
    with fresh():
        enrolled("--service", "su")
        run("mount", "-t", "tmpfs", "-o", "size=256k", "none", "/mnt")
        run("cp", "-a", "/etc/pam.d/.", "/mnt/")
        run("mount", "--move", "/mnt", "/etc/pam.d")
        try:
            with open("/etc/pam.d/.filler", "wb") as file, contextlib.suppress(OSError):
                while True:
                    file.write(b"x" * 512)
                    file.flush()
            within(setup(status=2), "No space left on device")
            equal(contents("/etc/pam.d/sudo"), DEBIAN["sudo"])
            equal(glob.glob("/etc/pam.d/.*.mpin-new"), [])
            os.unlink("/etc/pam.d/.filler")
            within(setup(), "switched on for sudo")
            within(sudo("alice", PIN)[0], "root")
        finally:
            run("umount", "/etc/pam.d")


@test
def killed():
    """killed at any moment, setup leaves each stack old or new, and undo restores them"""
    with fresh():
        enrolled()
        both(["mpin", "setup", "--undo"], 0, None)
        command = ["mpin", "setup", "--yes", "--service", "sudo", "--service", "login"]
        setup("--service", "sudo", "--service", "login")
        new = stacks()
        both(["mpin", "setup", "--undo"], 0, None)
        seen = set()
        for _ in range(60 if LONG else 20):
            reading, writing = os.pipe()
            os.write(writing, f"{PIN}\n".encode())
            os.close(writing)
            quiet = subprocess.DEVNULL
            process = subprocess.Popen(
                [*command, "--pin-fd", str(reading)], pass_fds=[reading], stdout=quiet, stderr=quiet)
            time.sleep(random.uniform(0, 0.8))
            process.kill()
            process.wait()
            os.close(reading)
            for name, text in stacks().items():
                assert text in (DEBIAN[name], new[name]), f"{name} is neither old nor new"
                seen.add((name, text == new[name]))
            both(["mpin", "setup", "--undo"], 0, None)
            equal(stacks(), DEBIAN)
            equal(glob.glob("/etc/pam.d/.*.mpin-new"), [])
        assert ("sudo", False) in seen, seen
        within(setup("--service", "sudo", "--service", "login"), "switched on for login, sudo")
        equal(os.path.exists("/run/mpin-setup"), False)


class Daemon:
    """sshd as the system runs it, on a port of the tests'; used by `with`."""

    def __enter__(self):
        run("ssh-keygen", "-A")
        os.makedirs("/run/sshd", mode=0o755, exist_ok=True)
        if not os.path.exists(CLIENT_KEY):
            run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", CLIENT_KEY)
        key_for("alice")
        write("/etc/ssh/sshd_config.d/port.conf", "Port 2222\nListenAddress 127.0.0.1\n")
        log = open("/var/log/sshd.log", "ab")
        self.process = subprocess.Popen(["/usr/sbin/sshd", "-D", "-e"], stderr=log)
        self.wait()
        return self

    def wait(self):
        scan = ["ssh-keyscan", "-p", "2222", "127.0.0.1"]
        eventually(lambda: subprocess.run(scan, capture_output=True).stdout, "sshd")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(10)
        os.unlink("/etc/ssh/sshd_config.d/port.conf")


def ssh(*answers, options=("-i", CLIENT_KEY)):
    child = spawn(*SSH, *options, "alice@127.0.0.1", "id", "-un")
    for answer in answers:
        child.expect("(assword|PIN|phone shows): ")
        child.sendline(answer)
    return finish(child)


@test
def by_ssh():
    """setup has a running sshd ask for key and PIN, and undo has it go back"""
    with Daemon() as daemon, fresh():
        within(ssh()[0], "alice")
        within(enrolled("--service", "sshd"), "switched on for sshd", "AuthenticationMethods any")
        daemon.wait()
        within(ssh(PIN)[0], "alice\r\n")
        equal(ssh(options=["-i", CLIENT_KEY, "-o", "BatchMode=yes"])[1], 255)
        equal(ssh(options=["-o", "PubkeyAuthentication=no"])[1], 255)
        root = run("/usr/sbin/sshd", "-T", "-C", "user=root,host=x,addr=127.0.0.1")
        within(root, "\nauthenticationmethods publickey\n")
        within(both(["mpin", "setup", "--undo"], 0, None), DROP_IN)
        assert not os.path.exists(DROP_IN)
        equal(stacks(), DEBIAN)
        daemon.wait()
        within(ssh()[0], "alice")


@test
def sshd_that_says_otherwise():
    """where another file speaks first, or sshd takes its settings not, sshd is left as it is"""
    with Daemon(), fresh():
        other = "/etc/ssh/sshd_config.d/cloud.conf"
        for text, words in [("PasswordAuthentication yes\n", "PasswordAuthentication"),
                            ("Nonsense 1\n", "Nonsense")]:
            write(other, text)
            try:
                said = setup("--service", "sshd", "--user", f"alice={IDENTITY}", status=2)
            finally:
                os.unlink(other)
            within(said, words)
            assert not os.path.exists(DROP_IN)
            equal(stacks(), DEBIAN)
        write(DROP_IN, "# mine\n")
        within(setup("--service", "sshd", "--user", "alice", status=2), "not written by mpin setup")
        equal(contents(DROP_IN), "# mine\n")
