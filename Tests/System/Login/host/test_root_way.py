# SPDX-License-Identifier: Apache-2.0
# `mpin setup` where root's password is locked: somebody must be able to become root without the server.
import contextlib
import json
import os
import re

from doctor import Told
from house import CONF, PASSED, PUBLIC, finish, no_server, pamtester, run, spawn
from support import absent, equal, within
from test_setup import (DEBIAN, HOST, IDENTITY, PIN, contents, enrolled, fresh, setup, stacks,
                        sudo, write)

CODE = re.compile(r"\b(?:[B-Z]{4}-){3}[B-Z]{4}\b")
SUDOERS = "/etc/sudoers.d/mpin"


@contextlib.contextmanager
def locked_root():
    """A new host on which nobody knows root's password."""
    shadow, sudoers = contents("/etc/shadow"), contents(SUDOERS)
    with fresh():
        run("usermod", "-p", "!", "root")
        try:
            yield
        finally:
            write("/etc/shadow", shadow)
            write(SUDOERS, sudoers)


def refused(*words, status=1):
    """What a setup says that changes nothing."""
    said = setup("--user", f"alice={IDENTITY}", *words, status=status)
    within(said, "Nothing was changed")
    equal(stacks(), DEBIAN)
    assert not os.path.exists(CONF), "settings were written"
    return said


def test_backup_codes_at_once():
    """where root's password is locked, setup shows backup codes, and by one of them sudo makes alice root
    while mpind is stopped"""
    with locked_root():
        said = enrolled()
        codes = CODE.findall(said)
        equal(len(codes), 8)
        within(said, "Write these down", "good for 7 days after its last answer about alice",
               "After that nobody can become root here", "a way to root: a backup code of alice by sudo")
        within(contents(CONF), "backup-codes = sudo login\n")
        with no_server():
            screen, status = sudo("alice", codes[0])
            within(screen, "root")
            equal(status, 0)
        within(Told().about("root")[0]["message"], "a backup code of alice by sudo")
        # Another run voids no codes that somebody has on paper, and makes no others.
        equal(CODE.findall(setup("--user", f"bob=bob@{HOST}", pin="Plover-3310")), [])
        equal(sudo("alice", codes[1])[1], 0)
        # A host that was set up before setup made codes.
        write(CONF, before := contents(CONF).replace("backup-codes = sudo login\n", ""))
        within(setup("--user", "alice", pin=None), "switched on for sudo")
        equal(contents(CONF), before)


def test_backup_codes_as_json():
    """with --json the codes are in the object, and `mpin backup-codes` needs no change of mpin.conf"""
    with locked_root():
        told = json.loads(enrolled("--json"))["backupCodes"]
        equal((told["user"], len(told["codes"]), told["services"]), ("alice", 8, ["sudo", "login"]))
        within(run("mpin", "backup-codes", "alice"), "Unused codes in it: 8")


def test_no_way_to_root():
    """where nobody could become root without the server, setup changes nothing and says what to do"""
    with locked_root():
        within(refused("--backup-codes", "no"), "--backup-codes yes", "sudo passwd root", "--no-way-back")
        within(refused("--backup-codes", "no", "--service", "sudo", "--service", "su", "--service", "login"),
               "nobody could become root")
        write(SUDOERS, "bob ALL=(ALL) ALL\nDefaults passwd_tries=1\n")
        within(refused(), "could log in and use sudo by a backup code")
        write(SUDOERS, "alice ALL=(ALL) /bin/ls\n")
        within(refused(), "could log in and use sudo by a backup code")
        write(SUDOERS, "alice ALL=(ALL) ALL\nDefaults rootpw\n")
        within(refused(), "could log in and use sudo by a backup code")
        write(SUDOERS, "alice ALL=(ALL) ALL\n")
        within(setup("--user", f"alice={IDENTITY}", "--backup-codes", "no", "--no-way-back"), "switched on")
        within(contents(CONF), "backup-codes = none\n")
        equal(Told().about("no-way-for-root")[0]["level"], "warning")


def test_other_ways_to_root():
    """a way to root that needs neither the server nor a code is found, and named"""
    declined = "--dry-run", "--user", "alice", "--backup-codes", "no"
    with locked_root():
        for words, conf, sudoers, way in (
            (["--factor", "first"], "", "", "alice's password by sudo"),
            (["--service", "su"], "", "", "alice's password by sudo"),
            ([], "", "alice ALL=(ALL) NOPASSWD: ALL\n", "alice by sudo, which asks nothing"),
            ([], "[sudo]\nexempt-users = bob\n", "", "bob's password by sudo"),
            (["--service", "sudo", "--service", "login"], "exempt-users = bob\n", "",
             "bob's password by sudo"),
        ):
            write(SUDOERS, sudoers or "alice ALL=(ALL) ALL\nbob ALL=(ALL) ALL\n")
            write(CONF, f"backend = unix:{PUBLIC}\n{conf}")
            within(setup(*words, *declined, pin=None), f"there is still a way to root: {way}")
        os.unlink(CONF)
        run("chpasswd", input="root:unix-root\n")
        within(setup(*declined, pin=None), "root can still log in: root's password by login")


def test_login_by_code():
    """where login asks for the PIN too, a backup code opens it and then sudo while mpind is stopped"""
    with locked_root():
        codes = CODE.findall(enrolled("--service", "sudo", "--service", "login"))
        with no_server():
            equal(pamtester("login", "alice", codes[0] + "\n", seat=())[0], PASSED)
            equal(sudo("alice", codes[1])[1], 0)


def test_asked_about_codes():
    """at a terminal setup offers backup codes; Enter makes them, and `no` is refused where they are the only
    way to root"""
    questions = [("Where is the M-Pin server.*\\] ", ""), ("Which services.*\\] ", ""),
                 ("Which account.*\\] ", "alice")]
    with locked_root():
        for answer, rest in ("no", []), ("", [("Do all this", "y"), ("New PIN", PIN), ("again: ", PIN)]):
            child = spawn("mpin", "setup", "--host", HOST)
            for question, typed in [*questions, (r"Make backup codes for alice.*\[yes\] ", answer), *rest]:
                child.expect(question)
                child.sendline(typed)
            screen, status = finish(child)
            equal((status, len(CODE.findall(screen))), (0, 8) if rest else (1, 0))
            within(screen, "switched on for sudo" if rest else "nobody could become root")


def test_login_in_a_container():
    """where no terminal but pseudoterminals is there, setup says so before it switches login on, and writes
    `remote = no` if it is told to"""
    os.rename("/dev/ttyS0", "/dev/ttyS0.away")
    try:
        with fresh():
            said = refused("--service", "login", status=2)
            within(said, "no console but pseudoterminals", "--desktop here", "remote = no")
            refused("--service", "login", "--desktop", "remote", status=2)
            within(enrolled("--service", "login", "--desktop", "here"), "switched on for login")
            within(contents(CONF), "[login]\n", "remote = no\n")
            equal(pamtester("login", "alice", PIN + "\n", seat=())[0], PASSED)
            absent(Told().about("seat-unsaid")[0]["message"], "login, ")
            write(CONF, contents(CONF).replace("remote = no\n", ""))
            within(Told().about("seat-unsaid")[0]["message"], "login, ")
    finally:
        os.rename("/dev/ttyS0.away", "/dev/ttyS0")


def test_removed_pin():
    """`mpin remove` says which services ask for the Unix password from now on, and which let nobody in"""
    with fresh():
        enrolled("--service", "sudo")
        within(run("mpin", "remove", "alice"),
               "From now on these ask alice for the Unix password: sudo, sudo-i.")
        within(sudo("alice", "unix-alice")[0], "root")
        setup("--user", f"alice={IDENTITY}", "--unenrolled", "deny", "--no-way-back")
        said = run("mpin", "remove", "alice")
        within(said, "From now on these do not let alice in: ", "sudo, sudo-i.")
        absent(said, "Unix password")
        equal(sudo("alice")[1], 1)
