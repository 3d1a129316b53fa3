# SPDX-License-Identifier: Apache-2.0
# `mpin setup --service sshd` with a real sshd: key and PIN, either complete or not at all.
import contextlib
import json
import os
import shutil
import subprocess

from doctor import Told, once
from house import CONF, finish, run, site, spawn
from support import absent, equal, eventually, replaced, within
from test_setup import (DEBIAN, DROP_IN, HOST, IDENTITY, PIN, both, contents, enrolled, fresh, setup, stacks,
                        write)
from test_sshd import CLIENT_KEY, SSH, key_for, new_key


class Daemon:
    """sshd as the system runs it, on the tests' port; used by `with`."""

    def __enter__(self):
        run("ssh-keygen", "-A")
        os.makedirs("/run/sshd", mode=0o755, exist_ok=True)
        new_key(CLIENT_KEY)
        key_for("alice")
        # Left by the tests of `mpin doctor` in this sandbox.
        if os.path.exists(DROP_IN):
            os.unlink(DROP_IN)
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
        self.process.wait(60)
        os.unlink("/etc/ssh/sshd_config.d/port.conf")


def ssh(*answers, options=("-i", CLIENT_KEY), user="alice"):
    child = spawn(*SSH, *options, f"{user}@127.0.0.1", "id", "-un")
    for answer in answers:
        child.expect("(assword|PIN|code from your phone): ")
        child.sendline(answer)
    return finish(child)


def test_by_ssh():
    """setup makes a running sshd require key and PIN, and undo restores it"""
    with Daemon() as daemon, fresh():
        within(ssh()[0], "alice")
        said = enrolled("--service", "sshd", "--shut-out")
        within(said, "switched on for sshd", "AuthenticationMethods any")
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


def test_wrong_pin_by_ssh():
    """a wrong PIN at the proof leaves sshd's stack and settings unchanged"""
    with Daemon(), fresh():
        setup("--service", "sshd", "--user", f"alice={IDENTITY}", "--dry-run")
        enrolled("--service", "login")
        said = setup("--service", "sshd", "--shut-out", pin="Kestrel-0000", status=1)
        within(said, "Nothing was switched on")
        assert not os.path.exists(DROP_IN)
        equal(stacks()["sshd"], DEBIAN["sshd"])
        site().mpind.unlock(IDENTITY)
        within(ssh()[0], "alice")


def test_sshd_that_says_otherwise():
    """if another file overrides the settings, or sshd rejects its configuration, sshd remains unchanged"""
    with Daemon(), fresh():
        for text, words in [("\nPasswordAuthentication yes\n", f"{EARLY}:2 sets PasswordAuthentication"),
                            ("Nonsense 1\n", "Nonsense")]:
            with replaced(EARLY, text):
                said = setup("--service", "sshd", "--user", f"alice={IDENTITY}", status=2)
            within(said, words)
            assert not os.path.exists(DROP_IN)
            equal(stacks(), DEBIAN)
        write(DROP_IN, "# mine\n")
        within(setup("--service", "sshd", "--user", "alice", status=2), "not written by mpin setup")
        equal(contents(DROP_IN), "# mine\n")


def test_image_of_a_cloud():
    """on an image of a cloud, which allows passwords in a drop-in and starts sshd by its socket, setup
    switches ssh on"""
    cloud = "/etc/ssh/sshd_config.d/50-cloud-init.conf"
    with Daemon(), fresh(), replaced(cloud, "PasswordAuthentication yes\n"):
        # With ssh.socket it is there only while somebody is connected.
        shutil.rmtree("/run/sshd", ignore_errors=True)
        enrolled("--service", "sshd", "--shut-out")
        within(run("/usr/sbin/sshd", "-T"), "passwordauthentication no\n")
        shutil.rmtree("/run/sshd")
        assert not {"sshd-unread", "sshd-password"} & set(Told().words("problem", "warning"))


ROBOT = "-i", CLIENT_KEY, "-o", "BatchMode=yes"
BLOCK = "/etc/ssh/sshd_config.d/zz-automation.conf"
EARLY = "/etc/ssh/sshd_config.d/00-early.conf"
EXEMPT = "# Ansible\nMatch User robot\n    AuthenticationMethods publickey\n"


@contextlib.contextmanager
def robot():
    """A service account that has only a key, and bob, who has a password and no key."""
    keys = "/home/bob/.ssh"
    if os.path.exists(keys):
        os.rename(keys, keys + ".kept")
    run("useradd", "--create-home", "--shell", "/bin/bash", "robot")
    try:
        key_for("robot")
        yield
    finally:
        run("userdel", "--remove", "robot", status=None)
        if os.path.exists(keys + ".kept"):
            run("rm", "-rf", keys)
            os.rename(keys + ".kept", keys)


def shut_out(*words):
    """The accounts that a dry run names as shut out, and the reasons."""
    said = setup("--service", "sshd", "--user", f"alice={IDENTITY}", "--dry-run", "--json", *words)
    return {one["account"]: one["reason"] for one in json.loads(said)["shutOut"]}


def test_shut_out_by_ssh():
    """setup names the accounts that ssh would shut out, refuses without --shut-out, and continues with it"""
    words = "--service", "sshd", "--user", f"alice={IDENTITY}"
    with Daemon() as daemon, fresh(), robot():
        told = shut_out()
        equal((told.get("bob"), told.get("robot"), told.get("alice")), ("no-key", "not-enrolled", None))
        assert not {"root", "_mpin", "nobody", "daemon"} & set(told), told
        said = setup(*words, status=1)
        within(said, "bob has no authorized key", "robot has a key, but is not enrolled", "AUTOMATION",
               "--shut-out", "Nothing was changed")
        assert not os.path.exists(CONF) and not os.path.exists(DROP_IN)
        equal(stacks(), DEBIAN)
        child = spawn("mpin", "setup", "--host", HOST, "--backend", "here", *words)
        child.expect("bob has no authorized key")
        child.expect("Shut them out of ssh, and go on.*N. ")
        child.sendline("n")
        within(finish(child)[0], "Cancelled. Nothing was changed.")
        assert not os.path.exists(CONF) and not os.path.exists(DROP_IN)
        equal(ssh(options=ROBOT, user="robot")[1], 0)
        said = setup(*words, "--shut-out")
        within(said, "switched on for sshd", "bob (no-key)", "robot (not-enrolled)")
        daemon.wait()
        within(ssh(PIN)[0], "alice\r\n")
        equal([ssh(options=ROBOT, user=user)[1] for user in ("robot", "bob")], [255, 255])
        # The same accounts are not reported again.
        equal(shut_out(), {})
        absent(setup("--service", "sshd"), "robot")


def test_who_is_not_shut_out():
    """setup does not name accounts that are exempt, expired, excluded by AllowUsers or without a shell"""
    with Daemon(), fresh(), robot():
        key_for("bob")
        equal(shut_out().get("bob"), "password-asked")
        equal(shut_out("--unenrolled", "deny", "--no-way-back").get("bob"), "not-enrolled")
        run("rm", "-r", "/home/bob/.ssh")
        for option, value, back in ("--expiredate", "1", ""), ("--shell", "/usr/sbin/nologin", "/bin/sh"):
            run("usermod", option, value, "robot")
            assert "robot" not in shut_out(), option
            run("usermod", option, back, "robot")
            equal(shut_out().get("robot"), "not-enrolled")
        for text in EXEMPT, "AllowUsers alice bob\n", "Match LocalPort 1\nMatch User robot\nDenyUsers r*\n":
            with replaced(BLOCK, text):
                told = shut_out()
                equal((told.get("bob"), told.get("robot")), ("no-key", None), text)
        with replaced(BLOCK, "Match User robot\nAuthorizedKeysFile /etc/ssh/keys/%u\n"):
            assert "robot" not in shut_out()


def test_exempt_automation():
    """a Match block lets a service account log in by its key, and doctor reports it as a note"""
    with Daemon() as daemon, fresh(), robot(), replaced(BLOCK, EXEMPT):
        assert "robot" not in shut_out()
        enrolled("--service", "sshd", "--shut-out")
        daemon.wait()
        within(ssh(PIN)[0], "alice\r\n")
        equal([ssh(options=ROBOT, user=user)[1] for user in ("robot", "alice")], [0, 255])
        told = Told()
        within(told.about("sshd-match-exempt")[0]["message"], f"{BLOCK}:2: 'Match User robot'")
        within(told.about("sshd-match-exempt")[0]["advice"], "from=", "AUTOMATION")
        equal((told.words("problem"), told.about("sshd-match")), ([], []))


def test_exempt_in_settings():
    """accounts that mpin.conf exempts log in by key, except in BatchMode; setup lists them separately"""
    words = "--service", "sshd", "--user", f"alice={IDENTITY}"
    # Keeps the accounts of other tests from being named.
    with replaced(EARLY, "AllowUsers root alice bob robot\n"), Daemon() as daemon, fresh(), robot():
        key_for("bob")
        enrolled("--service", "login")
        plain = contents(CONF)
        for key in "exempt-users = rob*", "exempt-groups = robot":
            write(CONF, f"{plain}[sshd]\n{key}\n")
            equal(shut_out(), {"bob": "password-asked", "robot": "batch-mode"})
        # An address does not exempt an account in every case, and with a second factor all are asked for the
        # password.
        write(CONF, f"{plain}[sshd]\nexempt-from = 192.0.2.0/24\n")
        equal(shut_out()["robot"], "not-enrolled")
        within(setup(*words, status=1), "robot (not-enrolled)")
        within(setup(*words, "--dry-run"), "From the addresses of 'exempt-from' a key is enough, but not")
        write(CONF, f"{plain}[sshd]\nexempt-users = robot bob\n")
        told = shut_out("--factor", "second")
        equal((told["bob"], told["robot"]), ("password-asked", "not-enrolled"))
        run("rm", "-r", "/home/bob/.ssh")
        equal(shut_out()["bob"], "no-key")
        key_for("bob")
        said = setup(*words)
        within(said, "Exempt in mpin.conf, so they still log in by key: bob, robot.", "BatchMode yes",
               "'Match User'", "bob (batch-mode), robot (batch-mode)", "switched on for sshd")
        absent(said, "has a key, but is not enrolled", "no authorized key")
        daemon.wait()
        within(ssh(user="robot")[0], "robot\r\n")
        equal([ssh(options=ROBOT, user=user)[1] for user in ("robot", "bob")], [255, 255])
        with replaced(BLOCK, EXEMPT):
            run("pkill", "-HUP", "-F", "/run/sshd.pid")
            daemon.wait()
            equal([ssh(options=ROBOT, user=user)[1] for user in ("robot", "bob")], [0, 255])
        run("rm", "-r", "/home/bob/.ssh")


def test_match_blocks():
    """doctor warns of Match blocks that bypass M-Pin or accept passwords, with file and line"""
    once()
    for text, words in (
        ("Match User games\n\tauthenticationmethods=publickey\n", ["sshd-match-exempt"]),
        ("Match Group games\n\tAuthenticationMethods publickey\n", ["sshd-match"]),
        ("Match Address 10.0.0.0/8 User *\n\tAuthenticationMethods publickey password\n"
         "\tPasswordAuthentication yes\n", ["sshd-match", "sshd-match-password"]),
        ("Match LocalPort 2222\n\tKbdInteractiveAuthentication no\n", ["sshd-match"]),
        ("Match User bob\n\tPasswordAuthentication yes\n", ["sshd-match-password"]),
        ("Match User bob\n\tX11Forwarding no\nMatch all\n\tPermitTTY yes\n", []),
    ):
        with replaced(BLOCK, text):
            told = Told()
            # doctor also names the host's own block for root: leave it out.
            found = [one for one in told.findings if one["word"].startswith("sshd-match")
                     and BLOCK in one["message"]]
            equal(sorted(one["word"] for one in found), words, text)
            assert all(f"{BLOCK}:1: '{text.splitlines()[0]}'" in one["message"] for one in found), found
            equal((told.status, told.words("problem")), (0, []), text)
    # sshd accepts 'any' only before other methods are set, and reads its files in the order of their names.
    with replaced(EARLY, "Match Address 10.0.0.0/8 User *\n\tAuthenticationMethods any\n"):
        told = Told()
        equal(len([one for one in told.about("sshd-match") if f"{EARLY}:1:" in one["message"]]), 1)
    # If several blocks match, the first one applies.
    first, other = "publickey,keyboard-interactive:pam", "publickey publickey,keyboard-interactive:pam"
    for methods, words in ((first, other), []), ((other, first), ["sshd-match"]):
        with replaced(BLOCK, "".join(f"Match User bob\n\tAuthenticationMethods {one}\n" for one in methods)):
            equal([one for one in Told().wrong if one.startswith("sshd")], words)
