# SPDX-License-Identifier: Apache-2.0
# The module among others in a stack, and in programs that set limits and get interrupts.
import contextlib
import sqlite3
import subprocess

import pexpect

from doctor import stacked
from house import SETUID, Login, as_user, finish, pamtester, run, settings, site, spawn, stack
from support import equal
from test_codes import new_codes
from test_policy import USERS, WRONG, moved


def test_stacks_of_the_manual():
    """in the stacks of the manual each outcome has the documented effect"""
    second = ["auth [success=ok ignore=ignore default=bad] pam_mpin.so", "auth required pam_permit.so"]
    alone = ["auth [success=done ignore=ignore default=die] pam_mpin.so", "auth required pam_deny.so"]
    subprocess.run(["useradd", "carol"], capture_output=True)
    for name, lines in ("second", second), ("alone", alone):
        stack(name, *lines)
        equal(Login(name, "alice", site().alice).code, "SUCCESS")
        assert Login(name, "alice", WRONG, WRONG, None).code != "SUCCESS"
        site().mpind.unlock("alice@example.org")
        with settings("unenrolled = ignore"):
            equal(Login(name, "carol").code == "SUCCESS", name == "second")
            with moved(f"{USERS}/.mpin-store"):
                assert Login(name, "carol").code != "SUCCESS"


def test_codes_for_a_shell():
    """'backup-codes = sudo' also accepts a code at `sudo -i`, once; 'backup-codes = sudo-i' none at sudo"""
    alone = "auth [success=done ignore=ignore default=die] pam_mpin.so"
    codes = new_codes()

    def lets_in(code, *options):
        child = spawn(*as_user("alice"), "sudo", "-k", *options, "id", "-un")
        child.expect("PIN for .*: ")
        child.waitnoecho()
        child.sendline(code)
        is_used = child.expect([pexpect.EOF, "PIN for .*: ", r"\broot\b"]) == 2
        if not is_used:
            child.close(force=True)
            return False
        return finish(child)[1] == 0

    with stacked("sudo", alone), stacked("sudo-i", alone), settings("backup-codes = sudo"):
        equal([lets_in(codes[0], "-i"), lets_in(codes[0], "-i"), lets_in(codes[1])], [True, False, True])
        with settings("backup-codes = sudo-i"):
            equal([lets_in(codes[2]), lets_in(codes[2], "-i")], [False, True])


def test_three_interrupts():
    """Ctrl-C at each prompt of sudo lets no user in"""
    stack("sudo", "auth [success=ok ignore=ignore default=bad] pam_mpin.so", "auth required pam_permit.so")
    child = spawn(*as_user("bob"), "sudo", "-k", "id", "-un")
    ended = child.expect(["PIN for .*: ", pexpect.EOF])
    # An interrupt between sudo's prompt and its read is lost, so another follows after a while.
    for _ in range(12):
        if ended == 1:
            break
        child.sendintr()
        ended = child.expect(["PIN for .*: ", pexpect.EOF, pexpect.TIMEOUT], timeout=5)
    screen, status = finish(child)
    assert status != 0 and "root" not in (screen if isinstance(screen, str) else ""), (screen, status)
    stack("sudo", "auth required pam_mpin.so")


def test_expired_account():
    """`account sufficient pam_mpin.so` does not open an account that has expired"""
    run("chage", "-E", "0", "bob")
    with open("/etc/pam.d/expired", "w") as file:
        file.write("auth required pam_mpin.so\naccount sufficient pam_mpin.so\n"
                   "account required pam_unix.so\n")
    login = Login("expired", "bob", site().bob, account=True)
    run("chage", "-E", "-1", "bob")
    equal((login.code, login.done["account"]), ("SUCCESS", 13))


def test_password_items():
    """the module neither takes a password from the stack nor leaves the PIN in it"""
    run("chpasswd", input=f"bob:{site().bob}\n")
    stack("after", "auth required pam_mpin.so", "auth required pam_unix.so use_first_pass")
    login = Login("after", "bob", site().bob)
    assert login.code != "SUCCESS" and len(login.prompts) == 1, (login.code, login.prompts)
    stack("before", "auth required pam_unix.so", "auth required pam_mpin.so")
    login = Login("before", "bob", site().bob, site().bob)
    equal(login.code, "SUCCESS")
    equal(login.prompts[1], "PIN for bob@example.org: ")
    run("chpasswd", input="bob:unix-bob\n")


def test_limits_of_the_caller():
    """limits that the caller sets affect neither the relay nor the decision"""
    limits = "--as=200000000", "--nofile=24", "--nproc=1", "--fsize=0", "--cpu=5", "--memlock=0"
    for limit in limits:
        code, screen = pamtester("mpin", "bob", site().bob + "\n", prefix=["prlimit", limit, "--"])
        equal(code, "success", limit)
    for limit in "--nofile=4", "--as=20000000":
        done = subprocess.run(
            [*SETUID, "prlimit", limit, "--", "pamtester", "mpin-or-pass", "bob", "authenticate"],
            input=f"{site().bob[::-1]}\n" * 3, capture_output=True, text=True, timeout=60)
        assert done.returncode > 0 and "successfully" not in done.stdout, (limit, done)


def test_service_named_mpin():
    """a login by a PAM service named mpin makes its source known, as any other; `mpin test` does not, and no
    section of mpin.conf concerns it"""
    def known():
        with contextlib.closing(sqlite3.connect("file:/var/lib/mpind/mpind.db?mode=ro", uri=True)) as data:
            return data.execute("SELECT count(*) FROM known_sources").fetchone()[0]
    subprocess.run(["useradd", "ned"], capture_output=True)
    site().mpind.enrol("ned", "ned@example.org", "Dunlin-5093")
    stack("mpin", "auth required pam_mpin.so")
    before = known()
    with settings("[mpin]\nmethod = phone\n"):
        run("mpin", "test", "ned", fds={"--pin-fd": "Dunlin-5093\n"})
        equal(known(), before)
    equal(Login("mpin", "ned", "Dunlin-5093").code, "SUCCESS")
    equal(known(), before + 1)
