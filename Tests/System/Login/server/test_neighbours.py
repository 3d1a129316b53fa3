# SPDX-License-Identifier: Apache-2.0
# `mpin doctor` on the stacks, sshd and sudo beside the module; what it mends, and QR codes for a phone.
import json
import os
import subprocess

from doctor import METHODS, ROOTS_KEYS, SSHD_CONF, Told, edited, once, shows, stacked
from house import ADMIN, CONF, MPIND_CONF, STORE, Login, as_user, run, settings, site, stack
from qr_codes import codes
from support import CHECKOUT, absent, equal, replaced, within
from test_doctor import KEY, RELAY
from test_policy import file_of, mode, moved
from test_setup import contents, enrolled, fresh

PROMPT = "KbdInteractiveAuthentication"


def test_broken_stacks():
    """doctor finds each error in /etc/pam.d by which a stack does not use M-Pin, or ignores its result"""
    once()
    ours, unix = "auth required pam_mpin.so", "auth required pam_unix.so"
    for lines, word in (
        (["auth sufficient pam_unix.so", ours], "stack-bypassed"),
        (["auth [success=1 default=ignore] pam_unix.so", ours], "stack-bypassed"),
        (["auth optional pam_mpin.so", unix], "stack-optional"),
        (["auth sufficient pam_mpin.so", "auth required pam_permit.so"], "stack-optional"),
        (["auth required pam_deny.so", ours], "stack-after-deny"),
        (["auth required /opt/pam_mpin.so"], "stack-other-module"),
        ([ours + " no-such=1"], "stack-arguments"), ([ours + " method=pin " + "#" * 1100], None),
        ([ours + " help=" + "x" * 1100], "stack-line-too-long"), (["auth never pam_mpin.so"], "stack-wrong"),
    ):
        with stacked("su", *lines):
            told = Told()
            equal(told.words("problem"), [word] if word else [], lines)
    with stacked("su", "auth [success=done default=ignore] pam_mpin.so", unix):
        told = Told()
        equal((told.status, "first-factor" in told.words("note")), (0, True))
    # The stack that doctor calls optional really lets users past: a wrong PIN logs in.
    with stacked("mpin", "auth sufficient pam_mpin.so", "auth required pam_permit.so"):
        equal(Login("mpin", "alice", "Kestrel-0000").code, "SUCCESS")
        within(Told().about("stack-optional")[0]["message"], "/etc/pam.d/mpin:1")
    site().unlock()
    with settings("unenrolled = ignore"), stacked("su", "auth [success=ok default=bad] pam_mpin.so"):
        assert "stack-denies-ignored" in Told().words("note")
    equal(Told().wrong, [])


def test_broken_neighbours():
    """doctor reads the settings of sshd and sudo, root's logins and mpind's files as they are in effect"""
    once()
    for old, new, word, status in (
        ("UsePAM yes", "UsePAM no", "sshd-no-pam", 1),
        (f"{METHODS}\n{PROMPT} yes", f"{PROMPT} no", "sshd-no-prompt", 1),
        (f"{PROMPT} yes", f"{PROMPT} no", "sshd-unread", 0),
        (METHODS, "", "sshd-key-alone", 1),
        ("publickey,keyboard-interactive:pam", "publickey", "sshd-key-alone", 1),
        ("publickey,keyboard-interactive:pam", "keyboard-interactive:pam", "sshd-pin-unasked", 0),
        ("PasswordAuthentication no", "PasswordAuthentication yes", "sshd-password", 0),
        ("UsePAM yes", "UsePAM yes\nLoginGraceTime 60", "sshd-grace", 0),
        ("UsePAM yes", "NoSuchWord yes", "sshd-unread", 0),
        ("Match User root", "Match User games", "no-way-for-root", 0),
    ):
        shows(edited(SSHD_CONF, old, new), word, status=status)
    shows(moved(ROOTS_KEYS), "no-way-for-root", status=0)
    sudoers = "/etc/sudoers.d/mpin"
    for line, word in ("Defaults targetpw", "sudo-other-password"), ("Defaults:bob rootpw",
                       "sudo-other-password"), ("bob ALL=(ALL) NOPASSWD: ALL", "sudo-unasked"):
        with edited(sudoers, "alice ALL", line + "\nalice ALL"):
            told = Told()
            assert word in told.words("warning", "note") and told.status == 0, (word, told.findings)
    shows(mode(MPIND_CONF, 0o666), "mpind-open")
    shows(mode("/var/lib/mpind", 0o755), "mpind-open", says=("chmod 700",))
    shows(mode(ADMIN, 0o666), "mpind-open", says=(ADMIN,))
    shows(mode("/run/mpind", 0o777), "mpind-open")
    equal(Told().wrong, [])


def test_mends():
    """doctor --fix mends modes, owners, marker and backups, and a second run finds nothing to mend"""
    once()
    alice, marker = file_of("alice"), f"{STORE}/users/.mpin-store"
    modes = {STORE: 0o755, f"{STORE}/users": 0o700, KEY: 0o600, alice: 0o600, RELAY: 0o755}
    for path, bits in modes.items():
        os.chmod(path, {STORE: 0o755, f"{STORE}/users": 0o755, RELAY: 0o744}.get(path, bits | 0o044))
    os.unlink(marker)
    subprocess.run(["chattr", "-d", KEY], capture_output=True)
    first, again = Told("--fix"), Told("--fix")
    assert len(first.mended) >= 6 and all(one["done"] for one in first.mended), first.mended
    equal([(told.wrong, told.status) for told in (first, again)], [([], 0)] * 2)
    equal(again.mended, [])
    equal({path: os.stat(path).st_mode & 0o7777 for path in modes}, modes)
    equal((os.stat(alice).st_uid, os.path.exists(marker)), (0, True))
    assert "host-key-in-backups" not in first.words("note")
    equal(Login("mpin", "alice", site().alice).code, "SUCCESS")
    # A file that another user may have written is not given to root: an administrator has to check it first.
    os.chown(alice, 1, -1)
    equal((Told("--fix").words("problem"), os.stat(alice).st_uid), (["user-file-open"], 1))
    os.chown(alice, 0, -1)
    # With `unenrolled = ignore` a new, empty store would let users past who had a PIN.
    with moved(f"{STORE}/users"):
        told = Told("--fix")
        equal((told.words("problem")[:1], told.mended), (["store-missing"], []), "no folder")
    # Other users could have written it, so an administrator has to check it first.
    with mode(alice, 0o666):
        told = Told("--fix")
        equal(told.words("problem"), ["user-file-open"])
        equal(told.about("user-file-open")[0]["fixable"], False)
    os.unlink(marker)
    with moved(f"{STORE}/users"):
        os.mkdir(f"{STORE}/users", 0o700)
        told = Told("--fix")
        equal((told.words("problem")[:1], told.mended), (["store-unmarked"], []), "an empty folder")
    Told("--fix")
    equal(Told().wrong, [])


def test_ordinary_users():
    """an ordinary user sees what they may read, and a note that the rest was not checked"""
    once()
    told = Told(prefix=as_user("alice"))
    equal((told.status, told.wrong), (0, []))
    assert "unseen" in told.words("note")
    for word in "store", "host-key", "sshd", "sudo", "root", "mpind":
        assert word not in told.words("ok"), word
    before = open(KEY).read()
    Told("--fix", prefix=as_user("alice"))
    equal(open(KEY).read(), before)


def test_nobody_asked():
    """on a host whose stacks do not use M-Pin, doctor says so and names setup"""
    once()
    # The stacks of other tests too.
    kept = {service: open(f"/etc/pam.d/{service}").read() for service in os.listdir("/etc/pam.d")}
    kept = {service: text for service, text in kept.items() if "pam_mpin.so" in text}
    for service in kept:
        stack(service, "auth required pam_unix.so")
    try:
        told = Told()
        within(told.about("nobody-asked")[0]["advice"], "mpin setup")
        equal((told.status, told.wrong), (0, []))
    finally:
        for service, text in kept.items():
            open(f"/etc/pam.d/{service}", "w").write(text)


def test_qr_codes():
    """doctor --screen draws a QR code that a phone can read, in each mode, and says whether it fits"""
    once()
    address = "https://login.example.org/m"
    with settings(f"phone-address = {address}"):
        wanted = f"{address}#{'0' * 32}"
        for drawn, light, rows in ("utf8", True, 24), ("utf8-inverse", False, 24), ("ascii", True, 48), (
                "ascii-inverse", False, 48):
            lines = run("mpin", "doctor", "--screen", drawn).splitlines()
            within(lines[0], f"qr = {drawn}:", "fits" if rows == 24 else "does not fit")
            equal(codes(lines, 110, light), [wanted], drawn)
        every = json.loads(run("mpin", "doctor", "--screen", "--json"))["screens"]
        equal([one["mode"] for one in every], ["utf8", "utf8-inverse", "ascii", "ascii-inverse", "large",
                                                "large-inverse"])
        equal([one["fits"] for one in every], [True, True, False, False, False, False])
        equal({one["text"] for one in every}, {wanted})
        within(run("mpin", "doctor", "--screen", "auto"), "qr = ")


def test_services_that_show_no_seat():
    """doctor and the package's postinst name services of daemons until their sections say where users are,
    and doctor does not count a login of root's that such a setting makes impossible"""
    once()
    postinst = f"{CHECKOUT}/packaging/debian/libpam-mpin.postinst"
    desk = "/etc/pam.d/gdm-password"

    def named():
        return run("sh", "-c", f"exec sh {postinst} configure 2>&1")

    absent(named(), "cannot tell")
    stack("gdm-password", "auth required pam_mpin.so")
    try:
        told = Told()
        equal((told.status, told.wrong), (0, ["seat-unsaid"]))
        within(told.about("seat-unsaid")[0]["message"], "log in by gdm-password are at this host")
        within(named(), "at this host: gdm-password", "remote = no", "mpin doctor")
        for value in "no", "yes":
            with replaced(CONF, contents(CONF) + f"[gdm-password]\nremote = {value}\n"):
                equal(Told().wrong, [])
                absent(named(), "cannot tell")
        stack("gdm-password", "auth required pam_mpin.so remote=no")
        equal(Told().wrong, [])
        absent(named(), "cannot tell")
    finally:
        os.unlink(desk)
    # At the console root falls through to the password, unless a setting declares the console remote.
    passing = "auth [success=done ignore=ignore default=die] pam_mpin.so", "auth required pam_unix.so"
    run("chpasswd", input="root:unix-root\n")
    with moved(ROOTS_KEYS), stacked("login", *passing), settings("unenrolled = ignore"):
        equal(Told().words("warning"), [])
        within(Told().about("root")[0]["message"], "root is not enrolled")
    far = settings("unenrolled = ignore\n[login]\nremote = yes")
    with moved(ROOTS_KEYS), stacked("login", *passing), far:
        equal(Told().words("warning"), ["no-way-for-root"])


def test_after_setup():
    """doctor finds no problem on a host that `mpin setup` has set up, for sudo only and with ssh too"""
    once()
    for services in ["sudo"], ["sudo", "sshd", "login", "su"]:
        with moved(SSHD_CONF), fresh():
            before = Told()
            within(before.about("settings-missing")[0]["advice"], "mpin setup")
            enrolled("--shut-out", *(word for service in services for word in ("--service", service)))
            told = Told()
            equal((told.status, told.words("problem")), (0, []), told.findings)
            assert "host-key-in-backups" not in told.words("note")
            asked = told.about("stacks")[0]["message"]
            within(asked, *services)
            equal("sshd" in told.words("ok"), "sshd" in services)
    equal(Told().wrong, [])
