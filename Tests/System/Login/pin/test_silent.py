# SPDX-License-Identifier: Apache-2.0
# Programs on the other side: PAM_SILENT, as sudo sets it, and programs that answer every prompt with one
# text.
import json
import os
import subprocess
import tempfile
import time

from house import REMOTE, Login, as_user, replaced, run, settings, site
from notices import WRONG, notices, seen, tells, wrong_su
from support import absent, equal, within
from test_codes import new_codes

SUDOERS = "/etc/sudoers.d/mpin"
SILENT = 0x8000


def sudo(*options, typed="", tries=1, **variables):
    """alice's sudo by a program: exit status, standard output and standard error."""
    with open(SUDOERS) as file:
        rules = file.read().replace("passwd_tries=1", f"passwd_tries={tries}")
    with replaced(SUDOERS, rules):
        os.chmod(SUDOERS, 0o440)
        done = subprocess.run(
            ["setsid", "--wait", *as_user("alice"), "env", *(f"{k}={v}" for k, v in variables.items()),
             "sudo", "-k", *options, "id", "-un"],
            input=typed, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def wrong_tries():
    """How many wrong PINs of alice mpind has counted for her next notice."""
    shown = json.loads(run("mpind", "user", "show", "alice@example.org", "--json"))["user"]["identities"]
    return sum(identity.get("wrongTries", {}).get("count", 0) for identity in shown)


def test_output_of_a_command():
    """sudo -S >file has nothing in the file but the command's output, after wrong PINs and after a mistake"""
    seen()
    began = time.time()
    wrong_su(WRONG)
    equal(sudo("-S", typed=site().alice + "\n")[:2], (0, "root\n"))
    status, output, said = sudo("-S", typed=f"{WRONG}\n{site().alice}\n", tries=2)
    equal((status, output), (0, "root\n"), said)
    within(said, "Wrong PIN. Tries left: 2.")
    absent(said, "since your last login")
    equal(sudo("-S", typed=WRONG + "\n")[:2], (1, ""))
    # The notice waits for a login that shows it, and administrators have read it before.
    within(run("mpind", "audit", "--user", "alice@example.org", "--last", "9"), 'wrong-before="1"')
    tells(seen(), f"3 wrong PINs since your last login, the last on {{}} from this machine "
          f"(local:{run('id', '-u', 'alice').strip()}).", began)
    equal(notices(seen()), [])
    site().unlock()


def test_backup_code_in_silence():
    """after a backup code sudo does not say how many are left; without PAM_SILENT the module does"""
    codes = new_codes(count=4)
    with settings("backup-codes = mpin sudo\n"):
        equal(sudo("-S", typed=codes[0] + "\n")[:2], (0, "root\n"))
        login = Login("mpin", "alice", codes[1], flags=SILENT)
        equal((login.code, login.screen.count("left")), ("SUCCESS", 0))
        within(Login("mpin", "alice", codes[2]).screen, "left")


def askpass(answer):
    """A program that answers every prompt of sudo with this text."""
    with tempfile.NamedTemporaryFile("w", prefix="askpass-", dir="/usr/local/bin", delete=False) as file:
        file.write(f"#!/bin/sh\necho '{answer}'\n")
    os.chmod(file.name, 0o755)
    return file.name


def test_the_same_answer_again():
    """a program that answers each prompt with one wrong text makes one wrong PIN, not three and a lock"""
    seen()
    # The module asks three times by itself, and sudo begins anew after each answer.
    with settings("remote-pin = long\n"):
        for items in {}, REMOTE:
            login = Login("mpin", "alice", *[WRONG] * 3, items=items)
            equal((login.code, len(login.prompts), wrong_tries()), ("AUTH_ERR", 3, 1))
            equal(Login("mpin", "alice", site().alice, items=items).code, "SUCCESS")
            seen()
    program = askpass(WRONG)
    status, _, said = sudo("-A", tries=3, SUDO_ASKPASS=program)
    os.unlink(program)
    equal((status, wrong_tries(), said.count("Wrong PIN. Tries left: 2.")), (1, 1, 3), said)
    # In another login the same answer is sent again.
    equal((Login("mpin", "alice", WRONG, site().alice).code, wrong_tries()), ("SUCCESS", 0))
    site().unlock()


def test_another_answer_after_the_same():
    """after a wrong PIN twice another wrong one counts, and the right one lets in"""
    seen()
    login = Login("mpin", "alice", WRONG, WRONG, site().alice)
    equal(login.code, "SUCCESS", login.screen)
    equal(login.screen.count("Wrong PIN. Tries left: 2."), 2)
    login = Login("mpin", "alice", WRONG, WRONG, WRONG + "5")
    equal(login.code, "AUTH_ERR")
    within(login.screen, "One try left.")
    equal(wrong_tries(), 2)
    site().unlock()
