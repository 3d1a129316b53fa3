# SPDX-License-Identifier: Apache-2.0
# The first login on one machine: README's commands as alice types them, and the removal.
import re

from machine import different, tree
from host import PASSWORDS, PIN, contents, equal, run, sudo
from screens import OF_APT, Screens, hidden, openly

STACKS = "/etc/pam.d", "/etc/ssh"
OF_ALICE = "PIN for alice@debian: "
PASSWORD = hidden("[sudo] password for alice: ", PASSWORDS["alice"])
SUDO = "sudo -k id -un"
BEFORE = tree(*STACKS)
CODES = []


def commands():
    """The commands that README gives for one machine: install, set up, log in."""
    first_login = contents("/tests.md").split("\n## Quick start\n")[1].split("\n### ")[0]
    return re.findall(r"^    \$ (.*)$", first_login, re.MULTILINE)


def installs():
    """README has two commands before the first login; the first one installs, and switches nothing on"""
    equal(len(commands()), 3)
    with Screens("first-install") as screens:
        screens.types(commands()[0], PASSWORD, user="alice", without=OF_APT)
        screens.types(SUDO, PASSWORD, user="alice")
        equal(different(BEFORE, tree(*STACKS)), [])


def sets_up():
    """the second one asks four questions and a PIN, shows each file, proves a login, shows backup codes,
    because root's password is locked, and names the next steps"""
    run("passwd", "--lock", "root")
    with Screens("first-setup") as screens:
        said = screens.types(commands()[1], PASSWORD, openly("or its address? [here] ", ""),
                      openly("ask for the PIN? [sudo] ", ""), openly("first ('-' for none)? [alice] ", ""),
                      openly("the server is away? [yes] ", ""),
                      openly("Do all this? [y/N] ", "y"), hidden("New PIN for alice: ", PIN),
                      hidden("The same PIN again: ", PIN), user="alice")
    CODES.extend(re.findall(r"\b(?:[B-DF-HJ-NP-TV-Z]{4}-){3}[B-DF-HJ-NP-TV-Z]{4}\b", said))


def logs_in():
    """sudo asks alice for her PIN, and carol, who has none, for the password"""
    equal(commands()[2], SUDO)
    with Screens("first-login") as screens:
        said = screens.types(SUDO, hidden(OF_ALICE, PIN), user="alice")
        equal(said.splitlines()[-1], "root")
        screens.types(SUDO, hidden("password for carol: ", PASSWORDS["carol"]), user="carol")


def looks():
    """`mpin doctor` finds nothing to do, and `mpin users` and `mpind host list` show users and hosts"""
    with Screens("first-look") as screens:
        screens.types("sudo mpin doctor", hidden(OF_ALICE, PIN), user="alice")
        for command in "mpin doctor --verbose", "mpin users", "mpind host list":
            screens.types(command)


def without_server():
    """root's password is locked and the server stopped: a backup code that setup showed makes alice root"""
    run("systemctl", "stop", "mpind*")
    with Screens("first-backup") as screens:
        said = screens.types(SUDO, hidden(OF_ALICE, PIN), hidden("Backup code: ", CODES[0]), user="alice")
        equal(said.splitlines()[-1], "root")
    run("systemctl", "start", "mpind")


def new_codes():
    """`mpin backup-codes alice` makes new codes without another setting; the old ones end"""
    with Screens("first-codes") as screens:
        screens.types("mpin backup-codes alice")
        run("systemctl", "stop", "mpind*")
        screens.types(SUDO, hidden(OF_ALICE, PIN), hidden("Backup code: ", CODES[1]), user="alice",
                      leaves=OF_ALICE)
        run("systemctl", "start", "mpind")


def killed():
    """the server is killed while alice types her PIN: it starts again, and sudo lets her in"""
    terminal = sudo("alice")
    terminal.shows(OF_ALICE)
    run("systemctl", "kill", "--signal=KILL", "mpind")
    terminal.types(PIN)
    equal(terminal.ends()[1], 0)


def takes_out():
    """`apt remove libpam-mpin` says where M-Pin is switched off, and alice uses her password again"""
    with Screens("first-removal") as screens:
        screens.types("sudo apt remove libpam-mpin", hidden(OF_ALICE, PIN), user="alice", without=OF_APT)
        screens.types(SUDO, PASSWORD, user="alice")
        equal(different(BEFORE, tree(*STACKS)), [])
