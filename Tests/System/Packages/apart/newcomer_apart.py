# SPDX-License-Identifier: Apache-2.0
# Server and login host as two machines: README's six commands as alice types them on both, the first login,
# and the commands to renew certificate and host key. apart.py continues from there.
import os
import re
import shlex
import shutil
import subprocess
import time

from apart_wire import HOST, NAME, named
import host
from host import PASSWORDS, PIN, contents, equal, run, within
from screens import OF_APT, Screens, hidden, openly

PASSWORD = hidden("[sudo] password for alice: ", PASSWORDS["alice"])
OF_ALICE = "PIN for alice@web1: "
# The progress lines of scp.
PROGRESS = re.compile(r"ca\.pem\s")


def on_server(screens, command, **options):
    """The same on the server, where alice's sudo asks for nothing."""
    really = f"ssh -qt {NAME} {shlex.quote('cd /srv && ' + command)}"
    return screens.types(command, user="alice", really=really, at="server", **options)


def on_host(screens, command, *answers, **options):
    return screens.types(command, *answers, user="alice", at="web1", **options)


def wire():
    """the two machines reach each other, and alice has a key for the server"""
    named(HOST, "web1")
    host.accounts()
    shutil.copy("/home/alice/.ssh/id_ed25519.pub", "/results/alice.pub.new")
    os.rename("/results/alice.pub.new", "/results/alice.pub")
    end = time.monotonic() + 300
    while not os.path.exists("/results/server-is-ready"):
        assert time.monotonic() < end, "the server does not start"
        time.sleep(0.1)
    run("runuser", "-u", "alice", "--", "sh", "-c", f"ssh-keyscan {NAME} >~/.ssh/known_hosts",
        cwd="/home/alice")
    # Only root may log in while a machine is still booting.
    enter = ["runuser", "-u", "alice", "--", "ssh", "-n", NAME, "true"]
    while subprocess.run(enter, capture_output=True).returncode:
        assert time.monotonic() < end, "the server does not accept alice's key"
        time.sleep(0.2)


def readme():
    """the six commands of README make a server with TLS and a host where alice logs in with her PIN"""
    typed = re.findall(r"^    (server|web1)\$ (.*)$", contents("/tests.md"), re.MULTILINE)
    assert 0 < len(typed) <= 6, typed
    said = ""
    with Screens("apart-readme") as screens:
        for machine, command in typed[:-1]:
            if machine == "server":
                said += on_server(screens, command, without=OF_APT)
            elif command.startswith("sudo"):
                on_host(screens, command, PASSWORD, without=OF_APT)
            else:
                on_host(screens, command, without=PROGRESS)
        codes = re.findall(r"code for \S+: (\S+)", said)
        fingerprint = re.search(r"^ *((?:[0-9A-F]{2}:){31}[0-9A-F]{2})$", said, re.MULTILINE)[1]
        # sudo asks for the password only from time to time, but this is another terminal.
        plan = on_host(
            screens, typed[-1][1], PASSWORD, openly("ask for the PIN? [sudo] ", ""),
            openly("first ('-' for none)? [alice] ", ""),
            openly("the server is away? [yes] ", ""), openly("Do all this? [y/N] ", "y"),
            hidden("Join code for web1 (from 'sudo mpind host add NAME'): ", codes[0]),
            hidden("New PIN for alice: ", PIN), hidden("The same PIN again: ", PIN),
            hidden("Activation code: ", codes[1]))
        within(plan.split("Do all this?")[0], fingerprint)


def logs_in():
    """alice's PIN opens sudo"""
    with Screens("apart-login") as screens:
        said = on_host(screens, "sudo -k id -un", hidden(OF_ALICE, PIN))
        equal(said.splitlines()[-1], "root")


def looks():
    """`mpin doctor` on the host, and `mpind user list` and `host list` on the server, show the new setup"""
    with Screens("apart-look") as screens:
        on_host(screens, "sudo mpin doctor", hidden(OF_ALICE, PIN))
        for command in "sudo mpind user list", "sudo mpind host list":
            on_server(screens, command)


def joins_again():
    """`mpind host rotate` and `mpin host join` give the host a new key; alice's PIN is still valid"""
    with Screens("apart-join") as screens:
        said = on_server(screens, "sudo mpind host rotate web1")
        code = re.search(r"code for web1: (\S+)", said)[1]
        on_host(screens, "sudo mpin host join web1", hidden(OF_ALICE, PIN),
                hidden("Join code for web1: ", code))
        on_host(screens, "sudo -k id -un", hidden(OF_ALICE, PIN))
