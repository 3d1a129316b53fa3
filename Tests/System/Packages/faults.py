# SPDX-License-Identifier: Apache-2.0
# Failures around the packages: in each case the machine keeps a login.
import os
import random
import signal
import subprocess
import time

from machine import LONG, MODULE, NAMES, apt, different, full_disk, packages, tree
import host
import ways
from host import PASSWORDS, PIN, contents, equal, report, run, sudo, within


def full_at_installation():
    """a full disk ends the installation, all logins work as before, and a second installation repairs it"""
    with full_disk():
        within(apt("install", *packages("now"), status=100), "No space left on device")
        ways.password("alice")
        ways.root_gets_in()
    apt("install", "--fix-broken", *packages("now"))
    equal(different(STACKS, tree("/etc/pam.d")), [])


def profiles():
    """the profiles of pam-auth-update are off, and switching them on and off again leaves no change"""
    before = tree("/etc/pam.d")
    run("pam-auth-update", "--enable", "mpin")
    within(contents("/etc/pam.d/common-auth"), "[success=ok ignore=ignore default=bad]\tpam_mpin.so")
    run("pam-auth-update", "--disable", "mpin")
    equal(different(before, tree("/etc/pam.d")), [])
    run("pam-auth-update", "--enable", "mpin-first")
    within(contents("/etc/pam.d/common-auth"), "[success=2 default=ignore]\tpam_mpin.so")
    run("pam-auth-update", "--disable", "mpin-first")
    equal(different(before, tree("/etc/pam.d")), [])


def second_factor_profile():
    """with the profile `mpin` sudo asks alice for password and PIN, and bob, who has no PIN, only for the
    password"""
    with profile("mpin"):
        terminal = sudo("alice")
        terminal.answers("password for alice: ", PASSWORDS["alice"])
        terminal.answers("PIN for alice@example.org: ", PIN)
        equal(terminal.ends(), ("\nroot\n", 0))
        ways.password_for_others()


def first_factor_profile():
    """with the profile `mpin-first` the PIN is enough, and after a wrong one the password"""
    with profile("mpin-first"):
        terminal = sudo("alice")
        terminal.answers("PIN for alice@example.org: ", PIN)
        equal(terminal.ends(), ("\nroot\n", 0))
        terminal = sudo("alice")
        terminal.answers("PIN for alice@example.org: ", PIN[::-1])
        terminal.answers("password for alice: ", PASSWORDS["alice"])
        equal(terminal.ends(), ("\nroot\n", 0))


class profile:
    """Only the profile is in use while the block runs."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        run("mpin", "setup", "--undo", "--yes")
        run("pam-auth-update", "--enable", self.name)

    def __exit__(self, *_):
        run("pam-auth-update", "--disable", self.name)
        ways.first_use()


def backend_down():
    """without its server no PIN lets in, and bob and root log in as before"""
    run("systemctl", "stop", "mpind.socket", "mpind-admin.socket", "mpind.service")
    try:
        for _ in range(2):
            terminal = sudo("alice")
            terminal.answers("PIN for alice@example.org: ", PIN)
            terminal.child.expect("The M-Pin server cannot help now. Use a backup code")
            terminal.gives_up()
            ways.password_for_others()
            ways.root_gets_in()
            within(apt("install", "--reinstall", *packages("now")), "Unpacking libpam-mpin")
    finally:
        run("systemctl", "start", "mpind.socket", "mpind-admin.socket")
    ways.sudo_by_pin()


def backup_codes():
    """while the server is unreachable a backup code lets alice in, once; a timer has asked about her"""
    code = report("mpin", "backup-codes", "alice")["codes"][0]
    # The timer that the package switched on asks the server about her account.
    within(run("systemctl", "list-timers", "mpin-standing.timer"), "mpin-standing.service")
    kept = f"/var/lib/mpin/codes/{run('id', '-u', 'alice').strip()}.standing"
    os.unlink(kept)
    run("systemctl", "start", "mpin-standing.service")
    within(open(kept).read(), "standing-tag = ")
    run("systemctl", "stop", "mpind.socket", "mpind-admin.socket", "mpind.service")
    try:
        # Without a network the timer's work is no failed unit.
        run("systemctl", "start", "mpin-standing.service")
        terminal = sudo("alice")
        terminal.answers("PIN for alice@example.org[^:]*: ", code)
        within(terminal.ends()[0], "\nroot\n")
        terminal = sudo("alice")
        terminal.answers("PIN for alice@example.org[^:]*: ", code)
        terminal.child.expect("Sorry, try again")
        terminal.gives_up()
    finally:
        run("systemctl", "start", "mpind.socket", "mpind-admin.socket")


def watched():
    """the timer of doctor is off at first, and its service writes to the log that a rule is gone"""
    equal(run("systemctl", "is-enabled", "mpin-doctor.timer", status=1), "disabled\n")
    on = contents("/etc/pam.d/sudo")
    try:
        with open("/etc/pam.d/sudo", "w") as file:
            file.write(on.replace("auth [", "#auth ["))
        run("systemctl", "start", "mpin-doctor.service", status=1)
        within(run("journalctl", "--unit=mpin-doctor.service", "--output=cat"),
               "problem: mpin setup switched sudo on; its rule is gone")
    finally:
        with open("/etc/pam.d/sudo", "w") as file:
            file.write(on)


def full_at_upgrade():
    """a full disk ends the upgrade, and alice still logs in with her PIN"""
    with full_disk():
        within(apt("install", *packages("next"), status=100), "No space left on device")
        ways.sudo_by_pin()
    apt("install", "--fix-broken", *packages("next"))
    ways.sudo_by_pin()


def killed_upgrades():
    """whenever dpkg is killed, alice logs in with her PIN, and dpkg can continue"""
    for turn in range(20 if LONG else 4):
        release = "now" if turn % 2 else "next"
        upgrade = subprocess.Popen(
            ["dpkg", "--force-downgrade", "--install", *packages(release)], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        time.sleep(random.uniform(0, 3))
        os.killpg(upgrade.pid, signal.SIGKILL)
        upgrade.wait()
        assert os.path.exists(MODULE)
        ways.sudo_by_pin()
    # Only dpkg can continue with a package that was killed half unpacked; apt refuses.
    run("dpkg", "--force-downgrade", "--install", *packages("next"))
    equal(run("dpkg", "--audit"), "")
    ways.sudo_by_pin()


def hand_written():
    """the packages are not removed while a hand-written line needs the module, and the error names the
    file"""
    stack = "/etc/pam.d/su"
    before, all_before = contents(stack), tree("/etc/pam.d")
    with open(stack, "w") as file:
        file.write("auth required pam_mpin.so\n" + before)
    within(apt("remove", "mpin-server", status=100), "mpin-server is not removed", stack)
    equal(run("systemctl", "is-active", "mpind.socket"), "active\n")
    within(apt("remove", *NAMES, status=100), "libpam-mpin is not removed", stack)
    own = "/etc/our-own-auth"
    with open(own, "w") as file:
        file.write("auth required pam_mpin.so\n")
    with open(stack, "w") as file:
        file.write(f"@include {own}\n" + before)
    within(apt("remove", *NAMES, status=100), "libpam-mpin is not removed", own)
    assert os.path.exists(MODULE)
    os.remove(own)
    with open(stack, "w") as file:
        file.write(before)
    equal(different(all_before, tree("/etc/pam.d")), [])
    apt("install", "--fix-broken", *packages("next"))
    ways.sudo_by_pin()


def unpaired_marks():
    """unpaired marks are left for the administrator to mend: nothing is cut out, and nothing is removed"""
    stack = "/etc/pam.d/sudo"
    before = contents(stack)
    broken = before.replace("# mpin setup: end\n", "")
    assert broken != before
    with open(stack, "w") as file:
        file.write(broken)
    within(apt("remove", *NAMES, status=100), stack)
    equal(contents(stack), broken)
    with open(stack, "w") as file:
        file.write(before)
    apt("install", "--fix-broken", *packages("next"))


def removed():
    """then they are removed, and the stacks are as before"""
    within(apt("remove", *NAMES), "M-Pin is switched off in: ")
    equal(different(STACKS, tree("/etc/pam.d")), [])
    ways.password("alice")


STACKS = tree("/etc/pam.d")
host.accounts()
host.main(full_at_installation, profiles, ways.first_use, second_factor_profile, first_factor_profile,
          backend_down, backup_codes, watched, full_at_upgrade, killed_upgrades, hand_written, unpaired_marks,
          removed)
