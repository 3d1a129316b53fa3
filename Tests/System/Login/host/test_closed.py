# SPDX-License-Identifier: Apache-2.0
# `mpin setup` opens no service that an administrator closed, and keeps what others wrote into a stack.
import contextlib
import os

from house import CONF, as_user, finish, run, spawn
from support import absent, equal, within
from test_setup import BEGIN, DEBIAN, END, IDENTITY, PIN, both, contents, enrolled, fresh, setup, sudo, write
from test_setup_faults import refused

CLOSED = "auth required pam_deny.so\naccount required pam_permit.so\nsession required pam_permit.so\n"
ACCOUNT = "account required pam_permit.so\n"
RULE = "auth [success=done ignore=ignore default=die] pam_mpin.so section=su\n"


@contextlib.contextmanager
def files(texts):
    """These files, by path; afterwards they are gone."""
    for path, text in texts.items():
        assert not os.path.exists(path), path
        write(path, text)
    try:
        yield
    finally:
        for path in texts:
            os.unlink(path)


def shell(user, *answers):
    """Whether this user becomes root by `sudo -i` with these answers."""
    child = spawn(*as_user(user), "sudo", "-k", "-i", "id", "-un")
    for answer in answers:
        if child.expect(["(PIN for|assword)[^:]*: ", "3 incorrect|no password|EOF", "\r?\n"]) == 0:
            child.sendline(answer)
    screen, status = finish(child)
    return screen.split()[-1:] == ["root"] and status == 0


def test_closed_shell():
    """setup for sudo does not open `sudo -i`, which an administrator closed, by PIN"""
    with fresh():
        write("/etc/pam.d/sudo-i", CLOSED)
        assert not shell("alice", "unix-alice")
        said = enrolled("--service", "sudo")
        within(said, "sudo-i lets nobody in, and stays as it is", "switched on for sudo.")
        equal(contents("/etc/pam.d/sudo-i"), CLOSED)
        assert not shell("alice", PIN)
        within(sudo("alice", PIN)[0], "root")
        # Another run does not either.
        setup("--service", "sudo", "--factor", "first")
        equal(contents("/etc/pam.d/sudo-i"), CLOSED)


def test_closed_stacks():
    """a stack that lets nobody in is refused, however its rules do that, and stays as it is"""
    deny, unix = "auth required pam_deny.so\n", "auth required pam_unix.so\n"
    jump = "auth [success=1 default=ignore] pam_unix.so\n"
    with fresh(), files({"/etc/pam.d/mine": f"auth sufficient pam_unix.so\n{deny}", "/etc/pam.d/none": deny}):
        for text in (
            deny, "auth requisite pam_deny.so\n" + unix, unix + deny,
            deny + "auth required pam_permit.so\n", "auth sufficient pam_rootok.so\n" + deny,
            jump + "auth required pam_permit.so\nauth requisite pam_deny.so\n",
            "auth [success=die default=die] pam_unix.so\n", "auth [default=ignore] pam_unix.so\n",
            "auth substack mine\nauth requisite pam_deny.so\n", "@include none\n", "auth include none\n",
            "auth substack none\n", "AUTH Include /etc/pam.d/none\n", "auth required \\\npam_deny.so\n",
            unix + "auth [default=reset] pam_permit.so\n",
        ):
            refused("sudo-i", text + ACCOUNT, "nobody can log in here")


def test_who_includes_it():
    """setup refuses a stack that another service includes, if users of that service would get round its own
    rules"""
    deny = "auth requisite pam_deny.so\n"
    with fresh():
        for rules in (f"auth include su\n{deny}", "auth include su\nauth required pam_wheel.so\n",
                      "auth [success=2 default=ignore] pam_localuser.so\nauth include su\n"):
            with files({"/etc/pam.d/mine": rules + ACCOUNT}):
                said = setup("--service", "su", "--user", f"alice={IDENTITY}", status=2)
                within(said, "/etc/pam.d/mine includes su", "Nothing was changed")
                equal(contents("/etc/pam.d/su"), DEBIAN["su"])
        for rules in f"{deny}auth include su\n", f"auth substack su\n{deny}":
            with files({"/etc/pam.d/mine": rules + ACCOUNT}):
                enrolled("--service", "su")
                both(["mpin", "setup", "--undo"], 0, None)


def test_both_needed():
    """`--factor second` is refused where no rule refuses a wrong password by itself"""
    with fresh():
        write("/etc/pam.d/sudo-i", "auth sufficient pam_unix.so\n" + ACCOUNT)
        said = setup("--service", "sudo-i", "--factor", "second", "--user", f"alice={IDENTITY}",
                     pin=f"{PIN}\nunix-bob", status=2)
        within(said, "no rule here refuses a user by itself", "pam_deny.so")


def test_lines_within_marks():
    """undo keeps what an administrator wrote between the marks, and names it"""
    wheel = "auth requisite pam_wheel.so\n"
    with fresh():
        enrolled("--service", "su")
        on = contents("/etc/pam.d/su")
        write("/etc/pam.d/su", on.replace(RULE, f"# for ops\n{wheel}{RULE}"))
        for words in ["--dry-run"], []:
            said = both(["mpin", "setup", "--undo", *words], 0, None)
            within(said, "keeps what somebody wrote between", "auth requisite pam_wheel.so")
            absent(said, "/etc/pam.d/su is as it was.")
        within(contents("/etc/pam.d/su"), f"# for ops\n{wheel}")
        absent(contents("/etc/pam.d/su"), "pam_mpin.so", BEGIN, END)
        # Without setup's rule this one would skip the password.
        jump = "auth [success=1 default=ignore] pam_succeed_if.so user = bob\n"
        for text in (on.replace(RULE, jump + RULE), on.replace(BEGIN, jump + BEGIN),
                     on.replace(RULE, "auth \\\n" + RULE)):
            write("/etc/pam.d/su", text)
            said = both(["mpin", "setup", "--undo"], 2, None)
            within(said, "/etc/pam.d/su:", "by hand")
            equal(contents("/etc/pam.d/su"), text)


def test_umask():
    """under umask 077 setup writes files that the relay can read"""
    with fresh():
        run("openssl", "req", "-x509", "-newkey", "ed25519", "-nodes", "-keyout", "/dev/null", "-subj",
            "/CN=x", "-out", "/tmp/ca.pem")
        os.rename("/etc/mpin", "/etc/mpin.kept")
        try:
            run("sh", "-c", 'umask 077; exec "$@"', "sh", "mpin", "setup", "--yes", "--backend", "here",
                "--ca-file", "/tmp/ca.pem", "--service", "su")
            run("setpriv", "--reuid=_mpin", "--clear-groups", "cat", "/etc/mpin/ca.pem", CONF)
        finally:
            run("rm", "-rf", "/etc/mpin")
            os.rename("/etc/mpin.kept", "/etc/mpin")
