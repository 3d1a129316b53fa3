# SPDX-License-Identifier: Apache-2.0
# One site inside the sandbox: the programs installed, a real mpind, a joined host, and accounts to enrol.
import contextlib
import functools
import json
import os
import re
import shutil
import signal
import socket
import subprocess

import pexpect

from support import CHECKOUT, equal, eventually, replaced

HERE = os.path.dirname(os.path.abspath(__file__))
PUBLIC, ADMIN = "/run/mpind/mpind.sock", "/run/mpind/admin.sock"
CONF, MPIND_CONF = "/etc/mpin/mpin.conf", "/etc/mpin/mpind.conf"
STORE = "/var/lib/mpin"
HOST = "sandbox"
MODULES = f"/usr/lib/{os.uname().machine}-linux-gnu/security"
PASSED = "success"
# What pamtester prints for the result codes of a login.
CODES = {
    "successfully authenticated": PASSED,
    "Authentication failure": "AUTH_ERR",
    "Have exhausted maximum number of retries": "MAXTRIES",
    "Permission denied": "PERM_DENIED",
    "User credentials expired": "CRED_EXPIRED",
    "User not known": "USER_UNKNOWN",
    "Authentication service cannot retrieve": "AUTHINFO_UNAVAIL",
    "Critical error - immediate abort": "ABORT",
    "Conversation error": "CONV_ERR",
    "Error in service module": "SERVICE_ERR",
    "System error": "SYSTEM_ERR",
}


def run(*command, status=0, fds=None, **options):
    """Runs a program and returns its output; `fds` maps an option that takes a descriptor to the text to
    read."""
    command, pass_fds = list(command), []
    for option, text in (fds or {}).items():
        reading, writing = os.pipe()
        os.write(writing, text.encode())
        os.close(writing)
        command += [option, str(reading)]
        pass_fds.append(reading)
    done = subprocess.run(command, pass_fds=pass_fds, capture_output=True, text=True, timeout=60, **options)
    for descriptor in pass_fds:
        os.close(descriptor)
    if status is not None and done.returncode != status:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def install(module="build/pam_mpin.so"):
    """Installs what was built, as `make install` does."""
    run("make", "-s", "-C", CHECKOUT, "install")
    shutil.copy(os.path.join(CHECKOUT, module), f"{MODULES}/pam_mpin.so")


def listens(path):
    """Whether a server accepts connections at this Unix socket, which is there a moment before that."""
    with socket.socket(socket.AF_UNIX) as one, contextlib.suppress(OSError):
        one.connect(path)
        return True


class Mpind:
    """The server, as root starts it at boot."""

    def __init__(self):
        os.makedirs("/run/mpind", mode=0o755, exist_ok=True)
        os.makedirs("/etc/mpin", mode=0o755, exist_ok=True)
        with open(MPIND_CONF, "w") as conf:
            conf.write(f"listen = unix:{PUBLIC}\nadmin-socket = {ADMIN}\n"
                       "data = /var/lib/mpind\nauthority-data = /var/lib/mpind-ta\n")
        run("mpind", "init", "--user", "root")
        self.process = None

    def start(self):
        self.log = open("/var/log/mpind.log", "ab")
        self.process = subprocess.Popen(
            ["mpind", "serve"], stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        eventually(lambda: self.process.poll() is not None or listens(PUBLIC) and listens(ADMIN),
                   "mpind's sockets")
        assert self.process.poll() is None, open("/var/log/mpind.log").read()[-500:]

    def stop(self, signal_=signal.SIGTERM):
        self.process.send_signal(signal_)
        self.process.wait(60)
        for path in PUBLIC, ADMIN:
            if os.path.exists(path):
                os.unlink(path)

    def admin(self, *words):
        return json.loads(run("mpind", *words, "--json"))

    def join(self, host):
        """Joins this host under that name, so that it has a host key."""
        code = self.admin("host", "add", host)["joinCode"]
        run("mpin", "host", "join", host, "--backend", f"unix:{PUBLIC}", fds={"--code-fd": code + "\n"})

    def enrol(self, user, identity, pin, *options):
        """Enrols a PIN for `user` on this host with the administrator's command."""
        code = self.admin("user", "add", identity)["activationCode"]
        run("mpin", "enroll", user, "--identity", identity, "--backend", f"unix:{PUBLIC}", *options,
            fds={"--pin-fd": pin + "\n", "--code-fd": code + "\n"})

    def unlock(self, identity):
        """Ends the lock or block of an identity, if there is one."""
        said = run("sh", "-c", 'mpind user unlock "$1" 2>&1', "sh", identity, status=None)
        assert "nlocked" in said or "locked" in said or "revoked" in said, said


def settings(more="", backend=f"unix:{PUBLIC}"):
    """mpin.conf of a host that asks only for PINs, while the block runs."""
    return replaced(CONF, f"backend = {backend}\nmethod = pin\n{more}\n")


def stack(service, *lines):
    """Writes /etc/pam.d/SERVICE; its accounts and sessions are always permitted."""
    rest = ["account required pam_permit.so", "session required pam_permit.so"]
    with open(f"/etc/pam.d/{service}", "w") as file:
        file.write("\n".join([*lines, *rest, ""]))


def bound(user):
    """The ids of the phones that may approve logins of this account."""
    path = f"{STORE}/users/{run('id', '-u', user).strip()}"
    return re.findall(r"^\[([0-9a-f]{64})\]$", open(path).read(), re.M) if os.path.exists(path) else []


# Begins a command line that runs the rest as a setuid program of root's that alice started: the module then
# takes the user for a person at this host, as in sudo. Without this it is a daemon of root's.
SETUID = "setpriv", "--ruid=alice", "--"


def pamtester(service, user, typed, *options, seat=SETUID, prefix=(), status=None, timeout=60):
    """One login by pamtester: the name of the result code, and everything on the screen."""
    done = subprocess.run(
        [*seat, *prefix, "pamtester", *options, service, user, "authenticate"], input=typed, text=True,
        capture_output=True, timeout=timeout, encoding="latin-1")
    screen = done.stdout + done.stderr
    for words, code in CODES.items():
        if words in screen:
            return code, screen
    raise AssertionError(f"pamtester ended with {done.returncode}: {screen!r}")


def as_user(name):
    """The beginning of a command line that runs the rest as this account."""
    return ["setpriv", f"--reuid={name}", f"--regid={name}", "--init-groups", "--reset-env", "--"]


def spawn(*command, timeout=60):
    return pexpect.spawn(command[0], list(command[1:]), encoding="utf-8", timeout=timeout, echo=True)


def finish(child):
    """Everything up to the end of a pty session, and the exit status."""
    child.expect(pexpect.EOF)
    child.close()
    return child.before, child.exitstatus


def plain(text):
    """A screen without carriage returns and terminal commands."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text).replace("\r", "")


class Login:
    """One login by pamhost.py; the codes are libpam's."""

    def __init__(self, service, user, *answers, prefix=(), items=None, timeout=60, **task):
        task.update(service=service, user=user, answers=answers, items=items or {})
        done = subprocess.run(
            [*SETUID, *prefix, "/usr/bin/python3", "-B", os.path.join(HERE, "programs", "pamhost.py")],
            input=json.dumps(task), text=True, capture_output=True, timeout=timeout)
        assert done.returncode == 0, f"the host process ended with {done.returncode}: {done.stderr}"
        self.done = json.loads(done.stdout)
        self.code, self.environment = NAMES[self.done["code"]], self.done["environment"]
        self.prompts = [text for style, text, _ in self.done["messages"] if style in (1, 2)]
        self.screen = "|".join(text for _, text, _ in self.done["messages"])
        self.seconds = self.done["ended"] - self.done["started"]
        self.delay = self.done["delay"]
        assert self.done["children"] == 0, "the host saw a child end"
        equal(self.done["secrets"], [0, 0], "pages of secrets that remain")
        assert self.done["left-open"] == 0, "descriptors are left open"


NAMES = {
    0: "SUCCESS", 3: "SERVICE_ERR", 4: "SYSTEM_ERR", 6: "PERM_DENIED", 7: "AUTH_ERR", 9: "AUTHINFO_UNAVAIL",
    10: "USER_UNKNOWN", 11: "MAXTRIES", 13: "ACCT_EXPIRED", 17: "CRED_EXPIRED", 19: "CONV_ERR", 25: "IGNORE",
    26: "ABORT",
}
REMOTE = {"4": "192.0.2.7"}
# Tests use pseudoterminals, which do not show where a user is. test_seats uses a real terminal.
LOGIN = "auth required pam_mpin.so remote=no",
# Users who are not asked are let in, and users who are asked must know the PIN.
MPIN_OR_PASS = "auth required pam_mpin.so", "auth required pam_permit.so"


# What test files prepare once; `restore` makes them prepare it again.
PREPARED = []


class Site:
    """The basis of every test: alice and bob can log in at `sandbox` with these PINs."""

    alice, bob = "Kestrel-4711", "8256"
    subject = None

    def __init__(self):
        install()
        self.mpind = Mpind()
        self.mpind.start()
        self.mpind.join(HOST)
        self.mpind.enrol("alice", "alice@example.org", self.alice, "--remote")
        self.mpind.enrol("bob", "bob@example.org", self.bob)
        self.restore()

    def restore(self):
        """Resets settings and stacks to what every test file starts with."""
        with open(CONF, "w") as conf:
            conf.write(f"backend = unix:{PUBLIC}\nmethod = pin\n")
        for once in PREPARED:
            once.cache_clear()
        for service in "mpin", "sudo", "su", "sshd":
            stack(service, "auth required pam_mpin.so")
        stack("login", *LOGIN)
        stack("mpin-or-pass", *MPIN_OR_PASS)
        with open("/etc/sudoers.d/mpin", "w") as file:
            file.write("alice ALL=(ALL) ALL\nbob ALL=(ALL) ALL\nDefaults passwd_tries=1\n")
        os.chmod("/etc/sudoers.d/mpin", 0o440)

    def ready(self, subject):
        """Removes what earlier tests left: locks before each test, settings and stacks before each file."""
        if subject != self.subject:
            self.restore()
            self.subject = subject
        self.unlock()

    def unlock(self):
        """Ends the locks of alice and bob."""
        for person in "alice", "bob":
            self.mpind.unlock(f"{person}@example.org")


@functools.cache
def site():
    return Site()


@contextlib.contextmanager
def no_server():
    """mpind is stopped while the block runs."""
    site().mpind.stop()
    try:
        yield
    finally:
        site().mpind.start()
