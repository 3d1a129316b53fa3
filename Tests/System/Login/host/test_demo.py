# SPDX-License-Identifier: Apache-2.0
# The demonstration as an ordinary user sees it, with and without a terminal.
import glob
import os
import signal
import subprocess

import pexpect

from house import HERE, as_user, finish, plain, spawn
from qr_codes import codes
from support import absent, equal, eventually, within

DEMO = [*as_user("alice"), "env", "LANG=C.UTF-8", f"{HERE}/demo"]


def left():
    """What a demonstration may leave behind: its folders and its server."""
    servers = subprocess.run(["pgrep", "-u", "alice", "-x", "mpind"], capture_output=True, text=True)
    return glob.glob("/tmp/mpin-demo.*") + servers.stdout.split()


def test_demo_without_a_terminal():
    """the demonstration without a terminal logs in by PIN and by phone, is refused once, and leaves
    nothing"""
    done = subprocess.run(DEMO, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    equal(done.returncode, 0)
    within(done.stdout, "successfully authenticated", "Authentication failure", "Wrong PIN. Tries left: 2.",
           "first: PAM_SUCCESS (wanted PAM_SUCCESS); second: PAM_AUTH_ERR (wanted PAM_AUTH_ERR); "
           "third: PAM_SUCCESS (wanted PAM_SUCCESS)")
    equal(codes(done.stdout.split("\n"), 120)[0].partition("#")[0], "https://login.example.org/")
    equal(left(), [])


def at_a_terminal(second):
    child = spawn(*DEMO)
    for prompt in "New PIN for alice: ", "The same PIN again: ", "PIN for alice@example.org: ":
        child.expect(prompt)
        child.waitnoecho()
        child.sendline("Osprey-77")
    child.expect("second login")
    child.expect("PIN for alice@example.org: ")
    child.waitnoecho()
    child.sendline(second)
    child.expect("third login")
    child.expect("Type this approval code at the console: ([A-Z]{3}-[A-Z]{3})")
    approval_code = child.match[1]
    child.waitnoecho()
    child.sendline(approval_code)
    screen, status = finish(child)
    absent(screen, "Osprey")
    equal(left(), [])
    return plain(screen), status


def test_demo_at_a_terminal():
    """the demonstration at a terminal asks for PINs and codes, and fails if the second PIN is right too"""
    screen, status = at_a_terminal("Osprey-78")
    within(screen, "second: PAM_AUTH_ERR")
    equal(status, 0)
    screen, status = at_a_terminal("Osprey-77")
    within(screen, "second: otherwise")
    equal(status, 1)


def test_demo_broken_off():
    """a demonstration that is interrupted stops its server and removes its folder"""
    child = spawn(*DEMO)
    child.expect("New PIN for alice: ")
    assert left()
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus != 0
    eventually(lambda: not left(), "the end of everything")
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(DEMO, stdin=quiet, stdout=quiet, stderr=quiet)
    eventually(left, "its folder")
    os.kill(process.pid, signal.SIGTERM)
    process.wait(60)
    eventually(lambda: not left(), "the end of everything")
