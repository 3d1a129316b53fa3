# SPDX-License-Identifier: Apache-2.0
# The packages from their first installation to the purge, with an upgrade in between.
import subprocess

from machine import MODULE, NAMES, apt, different, left_behind, may_destroy, packages, tree
import host
import ways
from host import PIN, equal, sudo, within

STACKS = "/etc/pam.d", "/etc/ssh"
KEPT = "/etc/mpin", "/var/lib/mpin", "/etc/pam.d", "/etc/ssh", "/var/lib/mpind", "/var/lib/mpind-ta"


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


def unasked():
    """Each stack is as it was before the packages came."""
    equal(different(BEFORE_STACKS, tree(*STACKS)), [])
    ways.password("alice")


def purging():
    """purged while sudo asks them, with leave to destroy the server's secrets, they leave nothing behind, and
    sudo is as before"""
    may_destroy()
    apt("purge", "--autoremove", *NAMES)
    equal(left_behind(BEFORE), [])
    unasked()


BEFORE, BEFORE_STACKS = tree("/"), tree(*STACKS)
host.accounts()
# The other ways in are those of newcomer.py, and of logins.py in the long run; the other ends of the packages
# are those of newcomer_purge.py.
host.main(installing, ways.first_use, ways.sudo_by_pin, ways.ssh_by_key_and_pin, ways.second_device,
          upgrading, *ways.AGAIN, purging)
