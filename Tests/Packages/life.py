# SPDX-License-Identifier: Apache-2.0
# The packages from their first installation to the purge, on a machine that has never seen them.
import subprocess

from machine import MODULE, NAMES, apt, different, packages, tree
import host
import ways
from host import PIN, equal, run, sudo, within

STACKS = "/etc/pam.d", "/etc/ssh"
KEPT = "/etc/mpin", "/var/lib/mpin", "/etc/pam.d", "/etc/ssh", "/var/lib/mpind", "/var/lib/mpind-ta"
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


def removing():
    """removed, the packages leave every stack as it was before"""
    apt("remove", *NAMES)
    equal(different(BEFORE_STACKS, tree(*STACKS)), [])
    ways.password("alice")


def purging():
    """purged, they leave nothing"""
    apt("purge", "--autoremove", *NAMES)
    left = different(BEFORE, tree("/"))
    equal([path for path in left if path != "/etc" and not path.startswith(OURS)], [])
    for database in "passwd", "group":
        equal([line for line in run("getent", database).splitlines() if "mpin" in line], [])


BEFORE, BEFORE_STACKS = tree("/"), tree(*STACKS)
host.accounts()
host.main(installing, *ways.ALL, upgrading, *ways.AGAIN, removing, ways.root_gets_in, purging)
