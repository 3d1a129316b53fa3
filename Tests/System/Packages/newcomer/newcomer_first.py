# SPDX-License-Identifier: Apache-2.0
# The first login on one machine: README's commands as alice types them, and the removal.
import re

from machine import different, tree
from host import PASSWORDS, PIN, contents, equal
from screens import OF_APT, Screens, hidden, openly

STACKS = "/etc/pam.d", "/etc/ssh"
OF_ALICE = "PIN for alice@debian: "
PASSWORD = hidden("[sudo] password for alice: ", PASSWORDS["alice"])
SUDO = "sudo -k id -un"
BEFORE = tree(*STACKS)


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
    """the second one asks four questions and a PIN, shows each file, proves a login, and names the next
    steps"""
    with Screens("first-setup") as screens:
        screens.types(commands()[1], PASSWORD, openly("or its address? [here] ", ""),
                      openly("ask for the PIN? [sudo] ", ""), openly("first ('-' for none)? [alice] ", ""),
                      openly("the server is away? [yes] ", ""),
                      openly("Do all this? [y/N] ", "y"), hidden("New PIN for alice: ", PIN),
                      hidden("The same PIN again: ", PIN), user="alice")


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


def takes_out():
    """`apt remove libpam-mpin` says where M-Pin is switched off, and alice uses her password again"""
    with Screens("first-removal") as screens:
        screens.types("sudo apt remove libpam-mpin", hidden(OF_ALICE, PIN), user="alice", without=OF_APT)
        screens.types(SUDO, PASSWORD, user="alice")
        equal(different(BEFORE, tree(*STACKS)), [])
