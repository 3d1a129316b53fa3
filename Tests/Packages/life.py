# SPDX-License-Identifier: Apache-2.0
# The packages from their first installation to the purge, on a machine that has never seen them.
import os
import subprocess

from machine import MODULE, NAMES, apt, different, may_destroy, packages, tree
import host
import ways
from host import PIN, equal, run, sudo, within

STACKS = "/etc/pam.d", "/etc/ssh"
KEPT = "/etc/mpin", "/var/lib/mpin", "/etc/pam.d", "/etc/ssh", "/var/lib/mpind", "/var/lib/mpind-ta"
SERVER = "/etc/mpin", "/etc/credstore.encrypted", "/var/lib/mpind", "/var/lib/mpind-ta"
# What the people of these tests leave behind.
OURS = ("/etc/passwd", "/etc/group", "/etc/shadow", "/etc/gshadow", "/etc/subuid", "/etc/subgid",
        "/etc/.pwd.lock", "/etc/sudoers.d", "/var/mail", "/var/spool/mail")


def installing():
    """installing the packages switches nothing on"""
    apt("install", *packages("now"))
    equal(different(BEFORE_STACKS, tree(*STACKS)), [])
    ways.password("alice")


def upgrading():
    """an upgrade keeps settings and enrolments, its module's file is there at every moment, and a sudo that
    waits with the old module comes to its end with the new relay"""
    before = tree(*KEPT)
    watch = subprocess.Popen(["python3", "-c", f"import os\nwhile True: os.stat({MODULE!r})"],
                             stderr=subprocess.PIPE, text=True)
    waiting = sudo("alice")
    waiting.shows("PIN for alice@example.org: ")
    within(apt("install", *packages("next")), "0.1.0+next")
    assert watch.poll() is None, watch.stderr.read()
    watch.kill()
    changed = [path for path in different(before, tree(*KEPT)) if ".db" not in path]
    equal(changed, [])
    waiting.types(PIN)
    equal(waiting.ends(), ("\nroot\n", 0))


def server_goes():
    """`apt-get remove mpin-server` switches M-Pin off where sudo asks it and says so; passwords are good"""
    within(apt("remove", "mpin-server"), "mpin-server: Logins on this host ask this server. M-Pin is "
                                         "switched off in: sshd, sudo, sudo-i.")
    unasked()


def secrets_stay():
    """a purge that nobody answers keeps the server's secrets, and says where and what destroys them"""
    before = tree(*SERVER)
    said = apt("purge", "mpin-server")
    within(said, "the secrets and the database of this server are kept:",
           "    rm -rf /var/lib/mpind /var/lib/mpind-ta /etc/", "    userdel _mpind-ta")
    equal(different(before, tree(*SERVER)), [])
    assert os.path.exists("/var/lib/mpind-ta/authority")


def server_comes_back():
    """installed and set up again it is the same server, and nobody enrols again"""
    apt("install", *[path for path in packages("next") if "/mpin-server_" in path])
    said = ways.first_use()
    assert "Enrolling" not in said and "Joining" not in said, said


def module_goes():
    """one by one, page and module before server: after each M-Pin is on and whole, or off"""
    apt("remove", "mpin-page")
    ways.sudo_by_pin()
    within(apt("remove", "libpam-mpin"), "libpam-mpin: M-Pin is switched off in: sshd, sudo, sudo-i.")
    unasked()
    assert "switched off" not in apt("remove", "mpin-server"), "it was off"
    unasked()


def unasked():
    """Each stack is as it was before the packages came."""
    equal(different(BEFORE_STACKS, tree(*STACKS)), [])
    ways.password("alice")


def purging():
    """purged with leave to destroy the server's secrets, they leave nothing"""
    may_destroy()
    apt("purge", "--autoremove", *NAMES)
    left = different(BEFORE, tree("/"))
    equal([path for path in left if path != "/etc" and not path.startswith(OURS)], [])
    for database in "passwd", "group":
        equal([line for line in run("getent", database).splitlines() if "mpin" in line], [])


def purging_at_once():
    """they come back as new ones, and purged while sudo asks them they leave nothing and no broken sudo"""
    apt("install", *packages("now"))
    within(ways.first_use(), "Enrolling alice")
    purging()
    unasked()


BEFORE, BEFORE_STACKS = tree("/"), tree(*STACKS)
host.accounts()
host.main(installing, *ways.ALL, upgrading, *ways.AGAIN, server_goes, secrets_stay, server_comes_back,
          *ways.AGAIN, module_goes, ways.root_gets_in, purging, purging_at_once)
