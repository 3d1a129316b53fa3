# SPDX-License-Identifier: Apache-2.0
# A server that cannot be reached or trusted: each reason has a message and a remedy, before a PIN is typed.
import contextlib
import os
import shutil
import subprocess

from doctor import Told, once
from house import PUBLIC, Login, as_user, finish, plain, settings, site, spawn
from phones import NAME, ORIGIN, front, phones
from proxy import Front
from support import LOG, absent, equal, replaced, within
from test_doctor import FLAWS, certify, tls
from test_setup import contents

CLOSED = "/var/closed"
AUTHORIZATION = f"{ORIGIN}/authorize?client_id=shop&response_type=code&redirect_uri=x&state=y"
# The message about a certificate, and the remedy.
FAULTS = (
    ("foreign", "its certificate is from a CA that is not trusted here", "'--ca-file FILE'"),
    ("misnamed", "its certificate is for another name", "'openssl s_client -connect localhost:"),
    ("expired", "its certificate has expired", "Renew the certificate on the server."),
)
STRANGE = "/run/mpind/strange.sock"
# A program of bob's at a socket that root has made: the process that listens also answers.
STRANGER = f"""
import os, pwd, socket, time
listener = socket.socket(socket.AF_UNIX)
listener.bind("{STRANGE}")
os.chmod("{STRANGE}", 0o666)
os.setuid(pwd.getpwnam("bob").pw_uid)
listener.listen()
print("listens", flush=True)
time.sleep(600)
"""


def tested(*words):
    """`mpin test alice` as a program calls it: its exit status and its error output."""
    done = subprocess.run(["mpin", "test", "alice", "--pin-fd", "0", *words], input=site().alice, text=True,
                          capture_output=True, timeout=60)
    return done.returncode, done.stderr


def typed(*command):
    """A command at a terminal that must end before it asks for a PIN: its exit status and its screen."""
    screen, status = finish(spawn(*command))
    screen = " ".join(plain(screen).split())
    absent(screen, "PIN for", "Old PIN", "New PIN")
    return status, screen


@contextlib.contextmanager
def stranger():
    """bob's program answers in mpind's place while the block runs."""
    process = subprocess.Popen(["/usr/bin/python3", "-c", STRANGER], stdout=subprocess.PIPE, text=True)
    try:
        equal(process.stdout.readline(), "listens\n")
        yield
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        os.unlink(STRANGE)


def test_unread_certificates():
    """test, doctor and both logs name a ca-file that _mpin cannot read, with the remedy, and the login
    fails"""
    once()
    os.makedirs(CLOSED, mode=0o700, exist_ok=True)
    kept, inside = "/etc/ssl/trust.pem", f"{CLOSED}/ca.pem"
    with Front(PUBLIC) as server:
        for path, mode, text, reason, cure in (
            (inside, 0o644, None, f"'_mpin' may not enter {CLOSED}", "/etc/mpin/ca.pem"),
            (kept, 0o600, None, "its mode is 0600, and '_mpin' may not read it", f"'sudo chmod 644 {kept}'"),
            (kept, 0o666, None, "users other than root can change it", "Look at what is in it first."),
            (kept, 0o644, "nothing\n", "there is no certificate in PEM in it", "Name a file"),
            (f"{CLOSED}/none.pem", 0, None, "there is no such file", "name the file where it is"),
        ):
            if mode:
                shutil.copy(server.certificate, path)
                os.chmod(path, mode)
            if text is not None:
                with open(path, "w") as file:
                    file.write(text)
            with settings(f"ca-file = {path}", backend=server.address):
                mark = LOG.mark()
                equal(Login("mpin-or-pass", "alice", site().alice).code, "SERVICE_ERR", reason)
                pairs = LOG.record(mark)[1]
                equal((pairs["reason"], pairs["file"], pairs["do"]),
                      ("no-certificates", path, "make-the-ca-file-readable"))
                told = f'calls="hello:32" reason="no-certificates" ca-file="{path}"'
                equal(len(LOG.since(mark, told)), 1, LOG.since(mark))
                status, said = tested()
                equal(status, 2)
                within(said, "mpin-relay", path, reason, cure)
                found = Told().about("ca-file-wrong")
                equal(len(found), 2, found)
                for finding in found:
                    within(finding["message"] + finding["advice"], path, reason, cure)
                status, screen = typed("mpin", "enroll", "alice", "--identity", "alice@example.org")
                equal(status, 2)
                within(screen, path, reason, cure)
    shutil.rmtree(CLOSED)
    os.unlink(kept)


def test_before_a_pin():
    """test, enroll and change-pin say why a server is not trusted before they ask for a PIN"""
    once()
    certify()
    alice = "--identity", "alice@example.org"
    with Front(PUBLIC) as server, settings(f"ca-file = {FLAWS}/ca.pem", backend=server.address):
        for name, says, cure in FAULTS:
            server.context = tls(name)
            for command in ("test", "alice"), ("enroll", "alice", *alice), ("change-pin", "alice"):
                status, screen = typed("mpin", *command)
                equal(status, 3, (name, command))
                within(screen, f"{server.address} cannot be trusted: {says}.", cure)
    with settings(backend="unix:/run/mpind/absent"):
        for command in ("test", "alice"), ("enroll", "alice", *alice), ("change-pin", "alice"):
            within(typed("mpin", *command)[1], "cannot be reached. Is it running")
    equal(Login("mpin", "alice", site().alice).code, "SUCCESS")


def test_foreign_socket():
    """a Unix socket at which another user answers has its own message, with a command to find the program"""
    once()
    says = "a user other than root and _mpind answers at its Unix socket."
    with stranger(), settings(backend=f"unix:{STRANGE}"):
        mark = LOG.mark()
        login = Login("mpin", "alice", site().alice)
        pairs = LOG.record(mark)[1]
        equal((login.code, pairs["status"], pairs["reason"]),
              ("AUTHINFO_UNAVAIL", "15", "socket-of-another-user"))
        within(login.screen, says, "Tell the administrator.")
        for status, said in (tested(), typed("mpin", "test", "alice"), typed("mpin", "change-pin", "alice"),
                             typed("mpin", "enroll", "alice", "--identity", "alice@example.org")):
            equal(status, 3)
            within(said, says, f"'sudo ss -xlp src {STRANGE}'")
        found = Told().about("server-untrusted")
        equal(len(found), 1, found)
        within(found[0]["message"] + found[0]["advice"], says, "systemctl start mpind")


def test_devices_need_a_server():
    """otp, approve and authcode say why their server is not trusted before they ask for a PIN"""
    once()
    certify()
    dora = phones().dora
    with front() as server, replaced(server.certificate, contents(f"{FLAWS}/ca.pem")):
        for name, says, cure in FAULTS:
            server.context = tls(name)
            for command in (("otp",), ("approve", f"{ORIGIN}/#{'0' * 32}"),
                            ("authcode", "--app", "shop", AUTHORIZATION)):
                status, screen = typed(*as_user(dora.user), "mpin", *command)
                equal(status, 3, (name, command, screen))
                within(screen, f"{ORIGIN} cannot be trusted: {says}.", cure.replace("localhost", NAME))
