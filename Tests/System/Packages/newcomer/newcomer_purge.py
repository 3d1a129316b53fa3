# SPDX-License-Identifier: Apache-2.0
# The last day: packages are removed and purged in each order, and sudo always works for its users.
import itertools
import os

from machine import apt, different, left_accounts, left_behind, may_destroy, packages, quiet_apt, tree
import host
import ways
from host import PASSWORDS, PIN, equal, run, within
from screens import OF_APT, Screens, hidden, openly

STACKS = "/etc/pam.d", "/etc/ssh"
SERVER = "/etc/mpin", "/etc/credstore.encrypted", "/var/lib/mpind", "/var/lib/mpind-ta"
THREE = {"libpam-mpin": "pam", "mpin": "mpin", "mpin-server": "server"}
# Records of apt and other tools.
NOTES = "/var/lib/dpkg/*", "/var/lib/apt/*", "/var/lib/systemd/*", "/var/lib/pam/*", "/var/lib/ucf/*"
# If no program for dialogs is installed, debconf falls back to this frontend after some lines about it.
PURGE = "DEBIAN_FRONTEND=teletype apt purge mpin-server"
QUESTION = "Destroy the secrets and the database of the M-Pin server? [yes/no] "


def by_pin(screens):
    said = screens.types("sudo -k id -un", hidden("PIN for alice@example.org: ", PIN), user="alice")
    equal(said.splitlines()[-1], "root")


def by_password(screens):
    """Logs in with the password, and checks that the stacks are as they were before the packages."""
    screens.types("sudo -k id -un", hidden("password for alice: ", PASSWORDS["alice"]), user="alice")
    equal(different(BEFORE_STACKS, tree(*STACKS)), [])


def nothing_left():
    """There is no file of the packages, and no user and no group."""
    without = [word for path in NOTES for word in ("-not", "-path", path)]
    equal(run("find", "/etc", "/usr", "/var/lib", "-name", "*mpin*", *without), "")
    equal(left_accounts(), [])


def has_settings(name):
    """Whether settings of a removed package still exist."""
    status = run("dpkg-query", "--show", "--showformat=${db:Status-Status}", name, status=None)
    return status == "config-files"


def kept_files():
    """The server's files except databases, which a server writes once more when it stops."""
    return {path: file for path, file in tree(*SERVER).items() if ".db" not in path}


def one_by_one(order):
    """A host where alice logs in, from which these packages are removed one by one."""
    apt("install", *[path for path in packages("now") if "/mpin-page_" not in path])
    ways.first_use()
    there = set(order)
    with Screens("-".join(["remove", *map(THREE.get, order)])) as screens:
        for name in order:
            screens.types(f"apt remove {name}", without=OF_APT)
            there.remove(name)
            (by_pin if {"libpam-mpin", "mpin-server"} <= there else by_password)(screens)
        may_destroy()
        # dpkg forgets packages without settings, and apt perhaps even their names.
        for name in order:
            if has_settings(name):
                screens.types(f"apt purge {name}", without=OF_APT)
        by_password(screens)
    nothing_left()


def in_order(order):
    """The test of one order, with its sentence."""
    def sentence():
        one_by_one(order)

    names = ", ".join(order)
    sentence.__doc__ = f"removed and then purged in the order {names}, they leave sudo working for all"
    return sentence


def kept():
    """a purge of the server asks; answered no, it keeps the secrets, and says where they are"""
    apt("install", *packages("now"))
    within(ways.first_use(), "Enrolling alice")
    before = kept_files()
    with Screens("purge-kept") as screens:
        screens.types(PURGE, openly(QUESTION, "no"), without=OF_APT)
        by_password(screens)
    equal(different(before, kept_files()), [])


def comes_back():
    """installed and set up again it is the same server, and no user has to enrol again"""
    apt("install", *[path for path in packages("now") if "/mpin-server_" in path])
    said = ways.first_use()
    assert "Enrolling" not in said and "Joining" not in said, said
    ways.sudo_by_pin()
    ways.ssh_by_key_and_pin()


def unanswered():
    """a purge without an answer keeps the secrets too, and TLS if the server has it"""
    run("mpind", "setup", "login.example.org")
    before = kept_files()
    said = apt("purge", "mpin-server")
    within(said, "the secrets and the database of this server are kept:",
           "    rm -rf /var/lib/mpind /var/lib/mpind-ta /etc/", "    userdel _mpind-ta")
    equal(different(before, kept_files()), [])
    assert os.path.exists("/var/lib/mpind-ta/authority")
    comes_back()
    for state in "is-enabled", "is-active":
        run("systemctl", state, "mpind-tls.socket", "mpind-renew.timer")


def destroyed():
    """answered yes, the purge destroys the secrets; removing the page changes no login, and removing the rest
    leaves nothing"""
    with Screens("purge-destroyed") as screens:
        screens.types("apt remove mpin-page", without=OF_APT)
        by_pin(screens)
        screens.types(PURGE, openly(QUESTION, "yes"), without=OF_APT)
        by_password(screens)
        equal([path for path in SERVER[1:] if os.path.exists(path)], [])
        screens.types("apt purge libpam-mpin mpin", without=OF_APT)
        by_password(screens)
    ways.root_gets_in()
    nothing_left()
    apt("autoremove", "--purge")
    equal(left_behind(BEFORE), [])


def elsewhere():
    """a server whose data are in the administrator's own folder keeps them, and says where they are"""
    apt("install", *[path for path in packages("now") if "/mpin-server_" in path])
    os.makedirs("/srv/mpind")
    for path, text in ("/srv/mpind/server", "secret"), ("/etc/mpin/mpind.conf", "data = /srv/mpind\n"):
        with open(path, "w") as file:
            file.write(text)
    may_destroy()
    within(apt("purge", "mpin-server"), "are kept:", "\n    /srv/mpind\n")
    equal(os.listdir("/srv/mpind"), ["server"])
    run("id", "_mpind")
    assert os.path.exists("/etc/mpin/mpind.conf")


quiet_apt()
BEFORE, BEFORE_STACKS = tree("/"), tree(*STACKS)
host.accounts()
host.main(kept, comes_back, unanswered, destroyed, *map(in_order, itertools.permutations(THREE)), elsewhere)
