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
    """an upgrade keeps settings and enrolments, the module's file exists at every moment, and a sudo that
    waits with the old module completes with the new relay"""
    before = tree(*KEPT)
    watch = subprocess.Popen(["python3", "-c", f"import os\nwhile True: os.stat({MODULE!r})"],
                             stderr=subprocess.PIPE, text=True)
    waiting = sudo("alice")
    waiting.shows("PIN for alice@example.org: ")
    within(apt("install", *packages("next")), "0.1.0+next")
    assert watch.poll() is None, watch.stderr.read()
    watch.kill()
    # Meanwhile a timer may ask mpind about the accounts with backup codes, which writes `.standing`.
    changed = [path for path in different(before, tree(*KEPT)) if ".db" not in path]
    equal([path for path in changed if not path.endswith(".standing")], [])
    waiting.types(PIN)
    equal(waiting.ends(), ("\nroot\n", 0))


def unasked():
    """The stacks are as they were before the packages were installed."""
    equal(different(BEFORE_STACKS, tree(*STACKS)), [])
    ways.password("alice")


def purging():
    """purged during use by sudo, with permission to destroy the server's secrets, they leave nothing behind,
    and sudo works as before"""
    may_destroy()
    apt("purge", "--autoremove", *NAMES)
    equal(left_behind(BEFORE), [])
    unasked()


# What images of cloud providers bring: sshd takes the first value of a setting that it reads.
with open("/etc/ssh/sshd_config.d/50-cloud-init.conf", "w") as file:
    file.write("PasswordAuthentication yes\n")
BEFORE, BEFORE_STACKS = tree("/"), tree(*STACKS)
host.accounts()
# newcomer.py tests other logins, and logins.py more in the long run; newcomer_purge.py tests other removals.
host.main(installing, ways.first_use, ways.sudo_by_pin, ways.ssh_by_key_and_pin, ways.explained,
          ways.second_device,
          upgrading, *ways.AGAIN, purging)
