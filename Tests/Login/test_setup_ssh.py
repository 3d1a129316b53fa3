# SPDX-License-Identifier: Apache-2.0
# `mpin setup --service sshd` beside a real sshd: key and PIN, and nothing by halves.
import os
import subprocess

from harness import equal, eventually, test, within
from house import finish, run, site, spawn
from test_setup import DEBIAN, DROP_IN, IDENTITY, PIN, both, contents, enrolled, fresh, setup, stacks, write
from test_sshd import CLIENT_KEY, SSH, key_for


class Daemon:
    """sshd as the system runs it, on a port of the tests'; used by `with`."""

    def __enter__(self):
        run("ssh-keygen", "-A")
        os.makedirs("/run/sshd", mode=0o755, exist_ok=True)
        if not os.path.exists(CLIENT_KEY):
            run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", CLIENT_KEY)
        key_for("alice")
        # Of the host that the tests of `mpin doctor` made in this sandbox.
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
def wrong_pin_by_ssh():
    """a wrong PIN at the proof leaves sshd's stack and settings as they were"""
    with Daemon(), fresh():
        setup("--service", "sshd", "--user", f"alice={IDENTITY}", "--dry-run")
        enrolled("--service", "login")
        within(setup("--service", "sshd", pin="Kestrel-0000", status=1), "Nothing was switched on")
        assert not os.path.exists(DROP_IN)
        equal(stacks()["sshd"], DEBIAN["sshd"])
        site().mpind.unlock(IDENTITY)
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
