# SPDX-License-Identifier: Apache-2.0
# Grace: a user who logged in is not asked again for a while, if the session shows that it is the same user.
import os
import struct

from doctor import stacked
from house import Login, as_user, finish, run, settings, site, spawn
from support import LOG, equal, replaced, within
from test_sshd import CLIENT_KEY, KEY, KEY_AND_PIN, Sshd, asked, ssh

FOLDER = "/run/mpin/grace"
SUDO = "[sudo]\ngrace = 60s\n"
SSHD = "[sshd]\ngrace = 1m\ntries = 1\n"
ASKS = "PIN for alice@example.org: "
OTHER_KEY = "/etc/ssh/other_client_key"


def fresh():
    """Removes all remembered logins."""
    run("rm", "-rf", "/run/mpin")


def files():
    return sorted(os.listdir(FOLDER)) if os.path.isdir(FOLDER) else []


def moved_back(seconds):
    """Makes every remembered login this many seconds older; a negative number puts it into the future."""
    for name in files():
        with open(f"{FOLDER}/{name}", "r+b") as file:
            (time,) = struct.unpack(">Q", file.read(8))
            file.seek(0)
            file.write(struct.pack(">Q", time - seconds))


class Session:
    """A shell of alice's at a new terminal."""

    def __init__(self):
        self.child = spawn(*as_user("alice"), "sh", "-c", 'while read line; do $line; echo "over:$?"; done')

    def sudo(self, pin=None, *command):
        """One `sudo -k`: whether it asked for the PIN, and whether it succeeded."""
        self.child.sendline(" ".join(["sudo", "-k", *(command or ("id", "-un"))]))
        isAsked = self.child.expect([ASKS, r"over:\d+"]) == 0
        if isAsked:
            self.child.waitnoecho()
            self.child.sendline(pin or "no pin at all")
            self.child.expect(r"over:\d+")
        return isAsked, self.child.after == "over:0"

    def close(self):
        self.child.sendeof()
        finish(self.child)


def test_sudo_asks_once():
    """under `grace` the second sudo of a session does not ask, is logged, and sends nothing to the server"""
    fresh()
    with settings(SUDO):
        session = Session()
        equal(session.sudo(site().alice), (True, True))
        before, mark = asked(), LOG.mark()
        equal(session.sudo(), (False, True))
        priority, pairs, line = LOG.record(mark)
        within(line, ": grace age=")
        equal((priority, pairs["service"], pairs["user"]), (6, "sudo", "alice"))
        equal(asked(), before)
        session.close()


def test_another_terminal():
    """another terminal asks again, and so do another service and a new session"""
    fresh()
    with settings(SUDO + "[sudo-i]\ngrace = 60s\n"), stacked("sudo-i", "auth required pam_mpin.so"):
        first, second = Session(), Session()
        equal(first.sudo(site().alice), (True, True))
        equal(second.sudo(), (True, False))
        equal(first.sudo(), (False, True))
        equal(first.sudo(site().alice, "-i", "true"), (True, True))
        for session in first, second:
            session.close()
        third = Session()
        equal(third.sudo(site().alice), (True, True))
        third.close()


def test_ends_by_itself():
    """the PIN is asked for again after `grace`, use does not prolong it, and a time in the future is
    invalid"""
    fresh()
    with settings(SUDO):
        session = Session()
        equal(session.sudo(site().alice), (True, True))
        moved_back(40)
        equal(session.sudo(), (False, True))
        moved_back(21)
        equal(session.sudo(site().alice), (True, True))
        equal(session.sudo(), (False, True))
        moved_back(-100)
        equal(session.sudo(site().alice), (True, True))
        run("rm", "-r", FOLDER)
        equal(session.sudo(), (True, False))
        session.close()


def test_spoiled_files():
    """a grace file that is cut, too long, another user's, open to others or a link is ignored"""
    fresh()
    with settings(SUDO):
        session = Session()
        equal(session.sudo(site().alice), (True, True))
        for spoil in ("truncate -s 39", "truncate -s 41", "truncate -s 0", "truncate -s 100K", "chown alice",
                      "chmod 640", "rm", "sh -c 'mv $0 /run/mpin/away; ln -s /run/mpin/away $0'"):
            (name,) = files()
            run("sh", "-c", f"{spoil} {FOLDER}/{name}")
            equal(session.sudo(site().alice), (True, True), spoil)
            equal(session.sudo(), (False, True), f"after {spoil}")
        os.chmod(FOLDER, 0o711)
        equal(session.sudo(site().alice), (True, True), "a folder open to others")
        session.close()


def test_only_where_it_is_set():
    """without `grace` no file is written, and an earlier file gives no grace"""
    fresh()
    session = Session()
    equal(session.sudo(site().alice), (True, True))
    equal(os.path.exists("/run/mpin"), False)
    with settings(SUDO):
        equal(session.sudo(site().alice), (True, True))
        equal([os.stat(path).st_mode & 0o7777 for path in (FOLDER, f"{FOLDER}/{files()[0]}")],
              [0o700, 0o600])
    equal(session.sudo(site().alice), (True, True))
    with settings("grace = 5m\n"):
        mark = LOG.mark()
        equal(session.sudo(), (False, False))
        equal(LOG.record(mark)[1]["problem"], "needs-a-section")
    session.close()


def test_never_for_root_or_a_stranger():
    """no grace at login, by a daemon, for root, or for an account that another user logs in to"""
    fresh()
    site().mpind.enrol("root", "root@example.org", "Heron-9021-x")
    try:
        with settings("[login]\ngrace = 5m\n[mpin]\ngrace = 5m\n[su]\ngrace = 5m\n"):
            for service, user, pin in (("login", "alice", site().alice), ("mpin", "root", "Heron-9021-x"),
                                       ("mpin", "bob", site().bob), ("su", "bob", site().bob)):
                login = Login(service, user, pin, prefix=["setsid", "--wait"] + (
                    ["setpriv", "--ruid=root"] if service == "login" else []))
                equal((login.code, len(login.prompts)), ("SUCCESS", 1))
            equal(files(), [])
    finally:
        run("mpin", "remove", "root")


def test_revoked_on_this_host():
    """an account that is removed from this host, or excluded by the settings, has no grace"""
    fresh()
    with settings(SUDO):
        session = Session()
        equal(session.sudo(site().alice), (True, True))
        with settings(SUDO + "users = bob\n"):
            mark = LOG.mark()
            equal(session.sudo(), (False, False))
            equal(LOG.record(mark)[1]["reason"], "users")
        path = f"/var/lib/mpin/users/{run('id', '-u', 'alice').strip()}"
        away = f"{path}.away"
        os.rename(path, away)
        try:
            equal(session.sudo(), (False, False))
        finally:
            os.rename(away, path)
        equal(session.sudo(), (False, True))
        session.close()


def test_by_ssh():
    """by ssh the same key from the same address is not asked again; another key or address is"""
    fresh()
    with settings(SSHD), Sshd(*KEY_AND_PIN):
        if not os.path.exists(OTHER_KEY):
            run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", OTHER_KEY)
        keys = "".join(open(f"{key}.pub").read() for key in (CLIENT_KEY, OTHER_KEY))
        with replaced("/home/alice/.ssh/authorized_keys", keys):
            equal(ssh("alice", site().alice)[1], 0)
            mark = LOG.mark()
            equal(ssh("alice", command=("echo", "$MPIN_METHOD")), ("grace\n", 0))
            _, pairs, line = LOG.record(mark)
            within(line, ": grace age=")
            equal((pairs["source"], pairs["service"]), ("127.0.0.1", "sshd"))
            for options in ["-i", OTHER_KEY, "-o", "IdentitiesOnly=yes"], [*KEY, "-b", "127.0.0.2"]:
                screen, status = ssh("alice", "no pin at all", options=options)
                assert status != 0, options
                within(screen, "M-Pin PIN: ")
            equal(ssh("alice"), ("alice\n", 0))
            moved_back(60)
            site().unlock()
            screen, status = ssh("alice", site().alice)
            equal(status, 0)
            within(screen, "M-Pin PIN: ")


def test_bound_by_its_settings():
    """a grace of less than a minute or of more than an hour is refused, and the login fails"""
    for value in "30s", "61m", "2h", "yes":
        with settings(f"[mpin]\ngrace = {value}\n"):
            mark = LOG.mark()
            equal(Login("mpin", "alice", site().alice).code, "SERVICE_ERR", value)
            equal(LOG.record(mark)[1]["key"], "grace")
            within(run("sh", "-c", "mpin why alice --service mpin 2>&1", status=2), "from 1m to 60m")
    with settings("[mpin]\ngrace = 90\n"):
        within(run("mpin", "why", "alice", "--service", "mpin", "--caller", "setuid"), "'grace = 90s'")
