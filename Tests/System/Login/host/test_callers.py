# SPDX-License-Identifier: Apache-2.0
# Programs that ask without root's rights, such as those that lock a screen: they cannot read M-Pin's files.
import contextlib
import json
import os
import struct

from callers import call, compiled, copy
from doctor import Told
from house import MPIN_OR_PASS, STORE, as_user, run, settings, site, stack
from support import LOG, absent, equal, within
from test_setup import enrolled, fresh

# As Debian's packages of swaylock and i3lock ship them.
LOCKERS = "swaylock", "i3lock"
INCLUDES_LOGIN = "auth include login\n"
# What setup writes into a stack, before the Unix password.
STACK = "auth [success=done ignore=ignore default=die] pam_mpin.so", "auth required pam_unix.so"


@contextlib.contextmanager
def lockers():
    for name in LOCKERS:
        with open(f"/etc/pam.d/{name}", "w") as file:
            file.write(INCLUDES_LOGIN)
    try:
        yield
    finally:
        for name in LOCKERS:
            os.unlink(f"/etc/pam.d/{name}")


def ask(user, service, answer, *conditions, run_by=None, **options):
    """The result of a program that a user runs, and what the module logged."""
    mark = LOG.mark()
    result = call(service, user, answer, *conditions, before=as_user(run_by or user), **options)
    _, pairs, line = LOG.record(mark)
    return result, pairs.get("reason"), line


def test_lockers():
    """after `mpin setup --service login`, swaylock and i3lock unlock by the Unix password, with a PIN and
    without, and setup, doctor and why say so"""
    with fresh(), lockers():
        run("chpasswd", input="root:unix-root\n")
        said = enrolled("--service", "login")
        within(said, "i3lock, swaylock: M-Pin steps aside there")
        for service in LOCKERS:
            for user in "alice", "bob":
                result, reason, line = ask(user, service, f"unix-{user}")
                equal((result, reason), ("SUCCESS", "caller-not-root"), line)
                within(line, ": stepped-aside ", f'service="{service}"', f'user="{user}"')
                equal(ask(user, service, "wrong")[0], "AUTH_ERR")
            told = json.loads(run("mpin", "why", "alice", "--service", service, "--json"))
            equal((told["outcome"], told["asked"], told["pin"]["open"]), ("stepped-aside", [], False))
            within(run("mpin", "why", "alice", "--service", service), "runs as alice and not as root")
        told = Told()
        within(told.about("runs-as-user")[0]["message"], "i3lock, swaylock")
        for finding in told.about("seat-unsaid"):
            absent(finding["message"], *LOCKERS)
        equal(told.about("unlocked-unasked"), [])
        stack("swaylock", *MPIN_OR_PASS)
        within(Told().about("unlocked-unasked")[0]["message"], "swaylock")


def test_other_account():
    """a program without root's rights that asks for another account is denied, and the log says why"""
    stack("locker", *STACK)
    for user, runner in ("bob", "alice"), ("root", "alice"), ("nobody-has-it", "alice"), ("alice", "_mpind"):
        result, reason, line = ask(user, "locker", f"unix-{user}", run_by=runner)
        equal((result, reason), ("SERVICE_ERR", "caller-not-root"), line)
        within(line, ": failed ")
    with settings("unenrolled = ignore"):
        equal(ask("bob", "locker", "unix-bob", run_by="alice")[0], "SERVICE_ERR")
    told = json.loads(run("mpin", "why", "bob", "--service", "swaylock", "--uid", "1", "--json", status=None))
    equal(told["outcome"], "broken")


def test_what_the_section_says():
    """a program that asks for its own account is denied if the settings exclude the account or say that
    people come over the network, and if PAM names their host"""
    stack("locker", *STACK)
    for line in "remote = yes", "never = alice", "users = !alice *", "groups = nobody-has-it":
        with settings(f"[locker]\n{line}"):
            result, reason, logged = ask("alice", "locker", "unix-alice")
            equal((result, reason), ("SERVICE_ERR", "caller-not-root"), (line, logged))
            equal(ask("bob", "locker", "unix-bob")[0] == "SUCCESS", line.startswith(("never", "users")), line)
    equal(ask("alice", "locker", "unix-alice", "rhost=192.0.2.7")[0], "SERVICE_ERR")
    with settings("networks = 10.0.0.0/8\n[locker]\nremote = no"):
        equal(ask("alice", "locker", "unix-alice")[0], "SUCCESS")
    with settings("no-such-key = 1"):
        equal(ask("alice", "locker", "unix-alice")[0], "SERVICE_ERR")


def test_more_rights():
    """a program that got more rights at its start, by setuid, setgid or capabilities, never passes for one
    without"""
    stack("locker", *STACK)
    own = compiled()
    lowered = copy("root", "root", "root", 0o4755)
    bobs = copy("bob", "bob", "bob", 0o4755)
    grouped = copy("group", "root", "shadow", 0o2755)
    capable = copy("capable", "root", "root", 0o755)
    os.setxattr(capable, "security.capability", struct.pack("<5I", 0x02000001, 1 << 7, 0, 0, 0))
    for program, user, condition in (
            (lowered, "alice", ["lower"]), (bobs, "bob", ["become"]), (bobs, "bob", []), (bobs, "alice", []),
            (grouped, "alice", []), (capable, "alice", [])):
        result, reason, line = ask(
            user, "locker", f"unix-{user}", *condition, run_by="alice", program=program)
        equal((result, reason), ("SERVICE_ERR", "caller-not-root"), (program, line))
    # As xscreensaver's: setuid to root, and every right given up before it asks.
    shell = "/bin/sh", ["-c", '"$@"; exit $?', "sh"]
    done = call("locker", "alice", "unix-alice", "drop", before=[*as_user("alice"), shell[0], *shell[1]],
                program=lowered)
    equal(done, "SUCCESS")
    equal(ask("alice", "locker", "unix-alice", program=own)[0], "SUCCESS")
    # As vlock: it keeps root's rights, so it asks for the PIN.
    equal(ask("alice", "locker", site().alice, program=lowered)[0], "SUCCESS")
    # The same wrong answer is sent once.
    equal(ask("alice", "locker", "unix-alice", program=lowered)[0], "AUTH_ERR")


def test_own_store():
    """a program that owns the store asks for the PIN, as in the demonstration"""
    run("cp", "-a", STORE, "/home/alice/store")
    run("chown", "-R", "alice:alice", "/home/alice/store")
    stack("locker", "auth required pam_mpin.so remote=no store=/home/alice/store")
    equal(ask("alice", "locker", "unix-alice")[0], "AUTH_ERR")
    equal(ask("alice", "locker", site().alice)[0], "SUCCESS")
    run("rm", "-r", "/home/alice/store")
