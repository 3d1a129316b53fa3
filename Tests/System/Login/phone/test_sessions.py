# SPDX-License-Identifier: Apache-2.0
# A session begins and ends with its console; one attempt id joins all the logs.
import os
import re
import signal
import subprocess

import pexpect

from house import SETUID, as_user, site, spawn
from phones import ASKED, front, pamtester, phone_settings, phones, sudo
from standin import AUTHENTICATE, STANDIN, StandIn
from support import LOG, absent, equal, eventually, within
from test_phones import granted, ssh
from test_sshd import KEY_AND_PIN, Sshd


# The prompt of the shell.
SHELL = "the shell> "


def processes(*name):
    """Ids of the processes that pgrep finds with these arguments."""
    found = subprocess.run(["pgrep", *name], capture_output=True, text=True)
    return [int(line) for line in found.stdout.split()]


def relays():
    return processes("-x", "mpin-relay")


def aborted():
    """How many sessions their consoles have ended."""
    with open("/var/log/mpind.log") as log:
        return log.read().count('ended="abort"')


def over(login, before, device):
    """Soon after its console has ended the login can no longer be approved."""
    eventually(lambda: aborted() > before, "the end of the session")
    within(device.fails(login.address), "No login of yours waits")


def test_code_before_the_console_asks():
    """the device shows its approval code at once, before the console has sent anything for it to mpind"""
    with front() as proxy, phone_settings(f"relay = {STANDIN}\n"), StandIn() as standin:
        login = pamtester("dora")
        code = phones().dora.approves(login.address)
        equal(standin.asked(AUTHENTICATE), [])
        equal(proxy.calls.count("/rps/authenticate"), 1)
        login.types(code)
        within(login.ends()[0], "successfully authenticated")


def test_consoles_that_die():
    """when client or module is killed, or Ctrl-C is typed, the session ends, and an approval is refused"""
    with front(), phone_settings(), Sshd(*KEY_AND_PIN):
        before, login = aborted(), ssh("dora", "id")
        login.child.kill(signal.SIGKILL)
        over(login, before, phones().dora)
        before, login = aborted(), pamtester("dora")
        login.child.kill(signal.SIGKILL)
        over(login, before, phones().dora)
        before, login = aborted(), sudo("dora")
        login.child.waitnoecho()
        # An interrupt between sudo's prompt and its read is lost.
        for _ in range(12):
            login.child.sendintr()
            if login.child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=5) == 0:
                break
        else:
            raise AssertionError("Ctrl-C does not end the login")
        over(login, before, phones().dora)


def test_relay_that_dies():
    """when the relay is killed its session may still be approved, but the login fails"""
    with front(), phone_settings("tries = 1"):
        login = pamtester("dora")
        for relay in relays():
            os.kill(relay, signal.SIGKILL)
        login.types(phones().dora.approves(login.address))
        within(login.ends()[0], "Error in service module")
        equal(LOG.record(login.mark)[1]["reason"], "relay-died")


def test_nothing_waits_on():
    """when the ssh client is killed no process of the login survives the deadline"""
    with front(), phone_settings("deadline = 6\n"), Sshd(*KEY_AND_PIN):
        login = ssh("dora", "id")
        assert relays() and processes("-f", "^sshd: dora")
        login.child.kill(signal.SIGKILL)
        eventually(lambda: not relays() and not processes("-f", "^sshd: dora"), "the end of the login")


def test_interrupted():
    """Ctrl-C at the prompt for the code leaves the terminal of sudo unchanged"""
    with front(), phone_settings():
        child = spawn(*as_user("dora"), "bash", "--norc", "-i")
        # In two halves, so that the echo of this line does not look like the prompt.
        child.sendline("PS1='the ''shell> '")
        child.expect(SHELL)

        def modes():
            child.sendline("echo modes:$(stty -g):")
            child.expect(r"modes:([0-9a-f:]+):\r")
            modes = child.match[1]
            child.expect(SHELL)
            return modes

        before = modes()
        for _ in range(3):
            mark = LOG.mark()
            child.sendline("sudo -k id")
            child.expect(ASKED)
            child.waitnoecho()
            # An interrupt between sudo's prompt and its read is lost. sudo restores its terminal after the
            # end of the login, and drops what was typed before that.
            for _ in range(12):
                child.sendintr()
                if child.expect([SHELL, pexpect.TIMEOUT], timeout=5) == 0:
                    break
            else:
                raise AssertionError("Ctrl-C does not end the login")
            eventually(lambda: LOG.since(mark, "pam_mpin"), "the end of the login")
            equal(modes(), before)
        child.close(force=True)


def test_restarts():
    """mpind may be restarted between prompt, approval and code"""
    with front(), phone_settings():
        login = pamtester("dora")
        site().mpind.stop()
        site().mpind.start()
        code = phones().dora.approves(login.address)
        site().mpind.stop(signal.SIGKILL)
        site().mpind.start()
        login.types(code)
        within(login.ends()[0], "successfully authenticated")


def test_one_attempt():
    """the logs of module, relay, mpind and device are joined by the attempt id of the login"""
    with front(), phone_settings(), Sshd(*KEY_AND_PIN):
        login = ssh("dora", "id")
        login.types(phones().dora.approves(login.address)).ends()
        attempt = granted(login)["attempt"]
        equal(phones().dora.attempt, attempt)
        lines = [line for line in open("/var/log/mpind.log") if attempt in line]
        routes = re.findall(r'route="([^"]*)"', "".join(lines))
        for route in "getQrUrl", "codeStatus", "pass1", "pass2", "authenticate", "mpinAuthenticate":
            assert route in routes, f"{route} is not in {routes}"
        assert LOG.since(login.mark, "mpin-relay") and all(
            attempt in line for line in LOG.since(login.mark, "mpin-relay")), LOG.since(login.mark)
        absent("".join(lines) + "".join(LOG.since(login.mark)), login.wid, login.number)


def test_no_server():
    """without mpind a login by phone ends at once, and so does one by PIN or phone"""
    with phone_settings(backend="unix:/run/mpind/absent"):
        for user, typed in ("dora", ""), ("erin", phones().erin_pin):
            mark = LOG.mark()
            done = subprocess.run([*SETUID, "pamtester", "mpin", user, "authenticate"], input=typed + "\n",
                                  text=True, capture_output=True, timeout=60)
            assert done.returncode != 0
            within(done.stdout + done.stderr, "Cannot reach the M-Pin server.")
            equal(LOG.record(mark)[0], 3)
