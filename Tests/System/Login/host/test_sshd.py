# SPDX-License-Identifier: Apache-2.0
# Ssh: a remote PIN needs a public key first, or must be long; otherwise nothing is sent and nothing revealed.
import os
import subprocess

import pexpect

from house import REMOTE, Login, finish, plain, run, settings, site, spawn, stack
from support import LOG, absent, equal, eventually, within

SSH = ["ssh", "-p", "2222", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o",
       "LogLevel=ERROR", "-o", "NumberOfPasswordPrompts=1"]
CLIENT_KEY, HOST_KEY = "/etc/ssh/test_client_key", "/etc/ssh/test_key"
KEY = ["-i", CLIENT_KEY]
NO_KEY = ["-o", "PubkeyAuthentication=no"]
PROMPT = "\nM-Pin PIN: "
PINS = "auth required pam_mpin.so"


def key_for(user):
    """Installs the client's key for this account."""
    run("install", "-d", "-o", user, "-g", user, f"/home/{user}/.ssh")
    run("install", "-o", user, "-g", user, f"{CLIENT_KEY}.pub", f"/home/{user}/.ssh/authorized_keys")


def new_key(path):
    """Makes a key unless it exists; whether it was missing."""
    missing = not os.path.exists(path)
    if missing:
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path)
    return missing


class Sshd:
    """The system's sshd on port 2222 with these settings; used by `with`."""

    def __init__(self, *lines):
        self.lines = lines

    def __enter__(self):
        stack("sshd", PINS)
        if new_key(HOST_KEY):
            new_key(CLIENT_KEY)
            for user in "alice", "bob":
                key_for(user)
        os.makedirs("/run/sshd", mode=0o755, exist_ok=True)
        with open("/etc/ssh/test_config", "w") as file:
            file.write("\n".join([
                "Port 2222", "ListenAddress 127.0.0.1", f"HostKey {HOST_KEY}", "UsePAM yes",
                "PidFile none", *self.lines, ""]))
        self.process = subprocess.Popen(["/usr/sbin/sshd", "-D", "-e", "-f", "/etc/ssh/test_config"],
                                        stderr=open("/var/log/sshd.log", "ab"))
        scan = ["ssh-keyscan", "-p", "2222", "127.0.0.1"]
        eventually(lambda: subprocess.run(scan, capture_output=True).stdout, "sshd")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(60)


KEY_AND_PIN = ("AuthenticationMethods publickey,keyboard-interactive:pam", "PasswordAuthentication no",
               "KbdInteractiveAuthentication yes")
PIN_ALONE = ("AuthenticationMethods keyboard-interactive:pam", "PasswordAuthentication no",
             "KbdInteractiveAuthentication yes")


def ssh(user, *answers, options=KEY, command=("id", "-un")):
    """One ssh at a terminal: its screen and its exit status."""
    child = spawn(*SSH, *options, f"{user}@127.0.0.1", *command)
    screen = ""
    for answer in answers:
        if child.expect(["PIN: ", "assword: ", pexpect.EOF]) == 2:
            child.close()
            return plain(screen + child.before), child.exitstatus
        screen += child.before + child.after
        child.waitnoecho()
        child.sendline(answer)
    rest, status = finish(child)
    return plain(screen + rest), status


def asked():
    return open("/var/log/mpind.log").read().count('route="pass1"')


def test_key_and_pin():
    """sshd lets in with key and PIN, by one prompt at the beginning of a line"""
    with Sshd(*KEY_AND_PIN):
        mark = LOG.mark()
        screen, status = ssh("alice", site().alice, command=("echo", "$MPIN_IDENTITY", "$(id -un)"))
        equal(status, 0)
        equal(screen, "(alice@127.0.0.1) \nM-Pin PIN: \nalice@example.org alice\n")
        _, pairs, _ = LOG.record(mark, "granted")
        equal((pairs["source"], pairs["service"]), ("127.0.0.1", "sshd"))


def test_wrong_pin_by_ssh():
    """ssh shows a locked user the same as a user with a wrong PIN, and lets neither in"""
    with Sshd(*KEY_AND_PIN):
        wrong, status = ssh("alice", "Kestrel-0000", "Kestrel-0001", "Kestrel-0002")
        equal(status, 255)
        absent(wrong, "left", "locked", "Wrong")
        locked, _ = ssh("alice", "Kestrel-0000", "Kestrel-0000", "Kestrel-0000")
        equal(wrong, locked)
        within(wrong, "M-Pin did not let you in.")
        site().mpind.unlock("alice@example.org")
        equal(ssh("alice", site().alice)[1], 0)


def test_nobody_without_a_key():
    """without an accepted key the PIN is not asked for, and nothing is sent"""
    before = asked()
    with Sshd(*PIN_ALONE):
        screen, status = ssh("alice", site().alice, options=NO_KEY)
        equal(status, 255)
        absent(screen, "PIN")
        for user in "alice", "nobody-at-all":
            login = Login("sshd", user, site().alice, items={**REMOTE, "3": "ssh"})
            equal((login.code, login.prompts), ("AUTH_ERR", []))
    equal(asked(), before)


def test_forged_auth_info():
    """a variable SSH_AUTH_INFO_0 that the client sends is ignored"""
    before = asked()
    with Sshd(*PIN_ALONE, "AcceptEnv *"):
        os.environ["SSH_AUTH_INFO_0"] = "publickey ssh-ed25519 AAAA"
        try:
            screen, status = ssh("alice", site().alice, options=[*NO_KEY, "-o", "SendEnv=SSH_AUTH_INFO_0"])
            login = Login("sshd", "alice", site().alice, items={**REMOTE, "3": "ssh"})
        finally:
            del os.environ["SSH_AUTH_INFO_0"]
        equal(status, 255)
        absent(screen, "PIN")
        equal(login.code, "AUTH_ERR")
    equal(asked(), before)
    login = Login("sshd", "alice", site().alice, items={**REMOTE, "3": "ssh"},
                  environment={"SSH_AUTH_INFO_0": "publickey ssh-ed25519 AAAA"})
    equal(login.code, "SUCCESS")


def test_long_pin_alone():
    """with remote-pin = long a PIN enrolled for it lets in without a key, and a short one never does"""
    with settings("[sshd]\nremote-pin = long"), Sshd(*PIN_ALONE):
        screen, status = ssh("alice", site().alice, options=NO_KEY)
        equal((screen, status), ("(alice@127.0.0.1) \nM-Pin PIN: \nalice\n", 0))
        before = asked()
        screen, status = ssh("bob", site().bob, site().bob, site().bob, options=NO_KEY)
        equal(status, 255)
        within(screen, PROMPT, "M-Pin did not let you in.")
        equal(asked(), before)


def test_unknown_users_see_the_same():
    """unknown users, users who are not enrolled and users with a wrong PIN see the same, after the same
    time"""
    subprocess.run(["useradd", "carol"], capture_output=True)
    screens = {}
    with settings("remote-pin = long"):
        for user, answer in (
            ("no-such-user", "12345678"), ("carol", "12345678"), ("alice", "wrong-Kestrel"), ("bob", "8256"),
        ):
            login = Login("sshd", user, answer, answer, answer, items={**REMOTE, "3": "ssh"})
            screens[user] = (login.code, login.screen)
            assert login.seconds >= 5.9, f"{user} after {login.seconds} s"
    site().mpind.unlock("alice@example.org")
    equal(len(set(screens.values())), 1, screens)


def test_password_method():
    """with sshd's method `password` there is no prompt, nothing is sent, and the log names the setting"""
    before = asked()
    by_password = ("AuthenticationMethods password", "PasswordAuthentication yes",
                   "KbdInteractiveAuthentication no")
    with settings("[sshd]\nremote-pin = long"), Sshd(*by_password):
        mark = LOG.mark()
        screen, status = ssh("alice", site().alice, options=NO_KEY)
        equal(status, 255)
        within(LOG.record(mark, "pam_mpin")[2], "PasswordAuthentication")
    equal(asked(), before)


def test_programs_that_answer_at_once():
    """none of twenty logins by a program that answers at once is taken for the method `password`"""
    mark = LOG.mark()
    with settings("[sshd]\nremote-pin = long"), Sshd(*PIN_ALONE):
        for _ in range(20):
            equal(ssh("alice", site().alice, options=NO_KEY)[1], 0)
    equal(LOG.since(mark, "PasswordAuthentication"), [])
