# SPDX-License-Identifier: Apache-2.0
# Which section of mpin.conf holds in a service whose file includes another one, or is its sibling: real su
# and sudo, on Debian's own stacks and on stacks written by hand.
import contextlib
import json
import subprocess

import pexpect

from doctor import Told, stacked
from house import CONF, Login, as_user, finish, plain, run, settings, site, spawn
from support import LOG, absent, equal, replaced, within
from test_codes import new_codes
from test_setup import DEBIAN, IDENTITY, PIN, both, contents, fresh, setup, stacks, write

ALONE = "auth [success=done ignore=ignore default=die] pam_mpin.so"
OWN_PASSWORD = "unix-root"


def become(*command, user="alice", answers=()):
    """What su or sudo shows to a user who types these answers, each at the next prompt, and whether the
    command ran."""
    child = spawn(*as_user(user), *command, timeout=60)
    screen = ""
    for answer in answers:
        if child.expect(["(PIN for|assword)[^:]*: ", pexpect.EOF]) != 0:
            screen += child.before
            break
        screen += child.before + child.after
        child.waitnoecho()
        child.sendline(answer)
    rest, status = finish(child)
    screen = plain(screen + rest)
    return screen, status == 0 and "uid=" in screen


def su(*words, user="alice", answers=()):
    return become("su", *words, "-c", "id", user=user, answers=answers)


@contextlib.contextmanager
def root_has_a_password():
    with open("/etc/shadow") as file:
        shadow = file.read()
    with replaced("/etc/shadow", shadow):
        subprocess.run(["chpasswd"], input=f"root:{OWN_PASSWORD}", text=True, check=True)
        yield


def why(user, service, status=None):
    return json.loads(run("mpin", "why", user, "--service", service, "--json", status=status))


def test_su_with_a_dash():
    """after `mpin setup --service su`, `su -` is like `su` for everybody, root included; setup, `mpin why`
    and doctor say that it asks too; undo takes it back"""
    with fresh(), root_has_a_password():
        said = setup("--user", f"alice={IDENTITY}", "--service", "su")
        within(said, "By inclusion, /etc/pam.d/su:", "su-l", "[su]", "are asked for the password")
        absent(contents(CONF), "[su-l]")
        for dash in [], ["-"]:
            screen, is_in = su(*dash, "bob", answers=["unix-bob"])
            assert is_in, screen
            absent(screen, "PIN for")
            screen, is_in = su(*dash, "root", answers=[OWN_PASSWORD])
            assert is_in and "uid=0" in screen, screen
            screen, is_in = su(*dash, "alice", user="bob", answers=[PIN])
            assert is_in and "PIN for" in screen, screen
        for service in "su", "su-l":
            told = why("bob", service)
            equal((told["section"], told["unenrolled"], told["stack"]), ("su", "ignore", "asks"))
        within(run("mpin", "why", "bob", "--service", "su-l", status=None),
               "the section [su], which holds for su-l too")
        found = Told().about("stack-included")
        equal([finding["level"] for finding in found], ["note"])
        within(found[0]["message"], "su-l", "[su]", "are asked for the password")
        both(["mpin", "setup", "--undo"], 0, None)
        equal(stacks(), DEBIAN)
        equal(Told().about("stack-included"), [])


def test_a_section_holds_for_a_sibling():
    """'never', 'users' and 'method' in [sudo] and [su] refuse `sudo -i` and `su -` too, in stacks
    without any argument"""
    def refused(*command, user="alice", answers=(site().alice,)):
        screen, is_in = become(*command, user=user, answers=answers)
        assert not is_in, screen

    lines = "never = alice", "users = bob", "method = phone"
    with stacked("sudo", ALONE), stacked("sudo-i", ALONE), stacked("su", ALONE), \
            stacked("su-l", "auth include su"):
        for line in lines:
            with settings(f"[sudo]\n{line}\n[su]\n{line}\n"):
                refused("sudo", "-k", "id")
                refused("sudo", "-k", "-i", "id")
                refused("su", "alice", "-c", "id", user="bob")
                refused("su", "-", "alice", "-c", "id", user="bob")
                equal(why("alice", "sudo-i")["section"], "sudo")
        with settings("[sudo]\nnever = alice\n[sudo-i]\nnever = none\n"):
            screen, is_in = become("sudo", "-k", "-i", "id", answers=[site().alice])
            assert is_in, screen
            equal(why("alice", "sudo-i")["section"], "sudo-i")
            refused("sudo", "-k", "id")


def test_exemptions_and_codes_of_a_sibling():
    """'exempt-users' and 'backup-codes' of [su] and [sudo] hold at `su -` and `sudo -i`"""
    with stacked("su", ALONE, "auth required pam_unix.so"), stacked("su-l", "auth substack su"):
        with settings("[su]\nexempt-users = bob\n"):
            screen, is_in = su("-", "bob", answers=["unix-bob"])
            assert is_in, screen
            absent(screen, "PIN for")
        codes = new_codes()
        for lines in "backup-codes = su\n", "[su]\nbackup-codes = su\n":
            with settings(lines):
                screen, is_in = su("-", "alice", user="bob", answers=[codes.pop()])
                assert is_in, screen
    with stacked("sudo", ALONE), stacked("sudo-i", ALONE), settings("[sudo]\nbackup-codes = sudo\n"):
        screen, is_in = become("sudo", "-k", "-i", "id", answers=[codes.pop()])
        assert is_in, screen


def test_any_service_that_includes_the_stack():
    """the section of the stack that setup changed holds for every service that includes it, however deep; one
    with a section of its own has that alone, and the log and the server hear the service's name"""
    with fresh():
        setup("--user", f"alice={IDENTITY}", "--service", "sudo")
        within(contents("/etc/pam.d/sudo"), "pam_mpin.so section=sudo\n")
        absent(contents(CONF), "[sudo-i]")
        accounts = "account required pam_permit.so\n"
        files = {"panel": "@include sudo\n", "middle": f"auth substack panel\n{accounts}",
                 "deep": f"auth include middle\n{accounts}"}
        with contextlib.ExitStack() as stack:
            for name, text in files.items():
                stack.enter_context(replaced(f"/etc/pam.d/{name}", text))
            for name in files:
                equal(why("alice", name)["section"], "sudo")
                mark = LOG.mark()
                equal(Login(name, "alice", PIN).code, "SUCCESS")
                equal(LOG.record(mark, "granted")[1]["service"], name)
            said = Told().about("stack-included")
            equal(len(said), 1)
            within(said[0]["message"], "/etc/pam.d/sudo:", "deep, middle, panel", "[sudo]")
            conf = contents(CONF).replace("[sudo]", "[sudo]\nnever = alice")
            with replaced(CONF, conf):
                for name in files:
                    assert Login(name, "alice", PIN).code != "SUCCESS", name
            with replaced(CONF, conf + "\n[deep]\nunenrolled = deny\n"):
                equal(why("alice", "deep")["section"], "deep")
                equal(Login("deep", "alice", PIN).code, "SUCCESS")
                assert Login("middle", "alice", PIN).code != "SUCCESS"
                within(Told().about("section-apart")[0]["message"], "[deep]", "[sudo]", "never")


def test_a_line_without_the_argument():
    """doctor says that a section does not hold for a service that includes a line written by hand, and what
    to write"""
    with stacked("sudo", ALONE, "auth required pam_unix.so"), settings("[sudo]\nunenrolled = ignore\n"), \
            replaced("/etc/pam.d/panel", "@include sudo\n"):
        equal("section" in why("alice", "panel"), False)
        told = Told()
        within(told.about("stack-included")[0]["message"], "panel", "above the first section",
               "cannot log in")
        apart = told.about("section-apart")
        equal([finding["level"] for finding in apart], ["warning"])
        within(apart[0]["message"] + apart[0]["advice"], "[sudo]", "panel", "section=sudo")
        text = contents("/etc/pam.d/sudo")
        with replaced("/etc/pam.d/sudo", text.replace("pam_mpin.so", "pam_mpin.so section=sudo")):
            equal(why("alice", "panel")["section"], "sudo")
            equal(Told().about("section-apart"), [])


def test_what_an_earlier_setup_wrote():
    """doctor says that a [sudo-i] of an earlier version stands apart from [sudo]; setup takes it away, and
    keeps one with more in it"""
    with fresh():
        setup("--user", f"alice={IDENTITY}", "--service", "sudo")
        comment = "# People without a PIN here are asked for the password.\n"
        own = f"\n[sudo-i]\n{comment}unenrolled = ignore\n"
        conf = contents(CONF).replace("[sudo]", "[sudo]\nnever = bob")
        write(CONF, conf + own)
        within(Told().about("section-apart")[0]["message"], "[sudo-i]", "[sudo]", "never")
        setup("--service", "sudo")
        equal(contents(CONF), conf)
        equal(Told().about("section-apart"), [])
        write(CONF, conf + own + "tries = 2\n")
        setup("--service", "sudo")
        within(contents(CONF), "[sudo-i]", "tries = 2")
