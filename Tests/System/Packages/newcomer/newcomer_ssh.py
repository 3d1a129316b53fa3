# SPDX-License-Identifier: Apache-2.0
# ssh on the first day: users log in by key and PIN, a service account by its key alone, and setup is undone.
import os
import shutil

from machine import apt, packages
import host
from host import PASSWORDS, PIN, equal, run
from screens import Screens, hidden, openly

OF_ALICE = "PIN for alice@debian: "
PASSWORD = hidden("[sudo] password for alice: ", PASSWORDS["alice"])
ASKED = "M-Pin PIN: "
# sshd applies a `Match` block wherever it is, before the drop-in of setup or after it.
APART = "/etc/ssh/sshd_config.d/deploy.conf"
MATCH = "# The account of a program, which can type no PIN.\nMatch User deploy\n" \
    "    AuthenticationMethods publickey\n"


def prepared():
    """before M-Pin a key is enough, for alice and for a service account, for which this must not change"""
    apt("install", *packages("now"))
    run("useradd", "--create-home", "--shell", "/bin/bash", "deploy")
    os.mkdir("/home/deploy/.ssh", 0o700)
    shutil.copy("/home/alice/.ssh/id_ed25519.pub", "/home/deploy/.ssh/authorized_keys")
    run("chown", "-R", "deploy:", "/home/deploy/.ssh")
    with open(APART, "w") as file:
        file.write(MATCH)
    run("runuser", "-u", "alice", "--", "sh", "-c", "ssh-keyscan 127.0.0.1 >~/.ssh/known_hosts",
        cwd="/home/alice")
    with Screens("ssh-before") as screens:
        screens.types("ssh 127.0.0.1 id -un", user="alice")
        screens.types("ssh deploy@127.0.0.1 id -un", user="alice")


def sets_up():
    """setup shows sshd's settings before and after, names the account in a `Match` block, and proves a
    login"""
    with Screens("ssh-setup") as screens:
        screens.types("sudo mpin setup --service sudo --service sshd --shut-out", PASSWORD,
                      openly("or its address? [here] ", ""), openly("first ('-' for none)? [alice] ", ""),
                      openly("the server is away? [yes] ", ""),
                      openly("Do all this? [y/N] ", "y"), hidden("New PIN for alice: ", PIN),
                      hidden("The same PIN again: ", PIN), user="alice")


def key_and_pin():
    """alice logs in by key and PIN; a wrong PIN, a key alone and no key are refused"""
    with Screens("ssh-login") as screens:
        said = screens.types("ssh 127.0.0.1 id -un", hidden(ASKED, PIN), user="alice")
        equal(said.splitlines()[-1], "alice")
        screens.types("ssh 127.0.0.1 id -un", hidden(ASKED, "Kestrel-0001"), user="alice", leaves=ASKED)
        screens.types("ssh -o BatchMode=yes 127.0.0.1 id -un", user="alice", status=255)
        screens.types("ssh -o PubkeyAuthentication=no 127.0.0.1 id -un", user="alice", status=255)


def service_account():
    """the service account logs in by its key alone, and by nothing else"""
    with Screens("ssh-service-account") as screens:
        said = screens.types("ssh -o BatchMode=yes deploy@127.0.0.1 id -un", user="alice")
        equal(said, "deploy")
        screens.types("ssh -o PubkeyAuthentication=no deploy@127.0.0.1 id -un", user="alice", status=255)


def looks():
    """`mpin doctor` names the block that exempts the account"""
    with Screens("ssh-look") as screens:
        screens.types("mpin doctor --verbose")


def back_again():
    """`mpin setup --undo` says what it has restored, and keys are enough again"""
    with Screens("ssh-undo") as screens:
        screens.types("sudo mpin setup --undo", hidden(OF_ALICE, PIN), user="alice")
        screens.types("ssh 127.0.0.1 id -un", user="alice")
        screens.types("sudo -k id -un", PASSWORD, user="alice")


host.accounts()
host.main(prepared, sets_up, key_and_pin, service_account, looks, back_again)
