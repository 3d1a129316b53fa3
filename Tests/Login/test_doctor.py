# SPDX-License-Identifier: Apache-2.0
# `mpin doctor` on a host that is as it must be, and on the same host with one thing after the other broken.
import email.utils
import functools
import json
import os
import shutil
import subprocess
import time

from doctor import METHODS, SSHD_CONF, Dates, Told, edited, healthy, stacked, stopped
from harness import equal, replaced, test, within
from house import (ADMIN, CONF, MODULES, MPIND_CONF, PUBLIC, STORE, Login, as_user, run, settings, site,
                   stack)
from phones import NAME, ORIGIN, front
from picture import codes
from proxy import Answers, Front, Hangs, Proxy
from test_faults import PROXY
from test_policy import file_of, mode, moved, owner

MODULE, RELAY = f"{MODULES}/pam_mpin.so", "/usr/libexec/pam_mpin/mpin-relay"
KEY = f"{STORE}/host"
once = functools.cache(healthy)


def shows(broken, *words, status=1, says=()):
    """These are the problems and warnings while one thing is broken, and none of them before and after."""
    with broken:
        told = Told()
        for word in words:
            assert word in told.wrong, (word, told.findings)
            for part in says:
                within(told.of(word)[0]["message"] + told.of(word)[0]["advice"], part)
        equal(told.status, status, words)
    return told


@test
def a_good_host():
    """`mpin doctor` finds no problem on a good host, costs no attempt, and says what it looked at"""
    once()
    before = open("/var/log/mpind.log").read()
    told = Told()
    equal((told.status, told.problems, told.wrong), (0, 0, []))
    equal(told.words("ok"), ["clock", "host-key", "module", "mpind", "relay", "root", "server", "settings",
                             "sshd", "stacks", "store", "sudo", "users"])
    log = open("/var/log/mpind.log").read()[len(before):]
    for route in "pass1", "pass2", "mpinAuthenticate":
        assert f'route="{route}"' not in log, log
    equal((log.count('route="getQrUrl"'), log.count('ended="abort"')), (1, 1), log)
    lines = run("mpin", "doctor").splitlines()
    assert lines[-1].endswith("as it must be.") and not any("[server]" in line for line in lines), lines
    within(run("mpin", "doctor", "--verbose"), "[server]", "knows this host's key", "ms.")
    equal(Login("mpin", "alice", site().alice).code, "SUCCESS")


@test
def broken_programs():
    """doctor names what is wrong with module, relay and '_mpin', where the login fails too"""
    once()
    with open("/etc/passwd") as file:
        line = next(line for line in file if line.startswith("_mpin:"))
    uid = run("id", "-u", "_mpin").strip()
    shows(moved(MODULE), "module-missing")
    shows(mode(MODULE, 0o666), "module-open")
    with moved(MODULE):
        open(MODULE, "w").write("no module\n")
        within(Told().of("module-broken")[0]["message"], "pam_mpin.so")
    for word, broken in (
        ("relay-missing", moved(RELAY)), ("relay-open", mode(RELAY, 0o775)),
        ("relay-open", mode(RELAY, 0o644)), ("relay-user-missing", edited("/etc/passwd", line, "")),
    ):
        with broken:
            told = Told()
            assert word in told.wrong and "relay-broken" in told.wrong, (word, told.findings)
            equal((told.status, Login("mpin", "alice", site().alice).code), (1, "SERVICE_ERR"), word)
    shows(edited("/etc/passwd", line, line + line.replace("_mpin", "twin", 1)), "relay-user-shared",
          says=("twin",))
    shows(owner(CONF, int(uid)), "relay-user-owns", status=2)
    equal(Told().wrong, [])


@test
def broken_settings():
    """doctor names file, line and key of what is wrong in mpin.conf, and what is dangerous there"""
    once()
    shows(settings("no-such = 1"), "settings-wrong", status=2, says=(f"{CONF}:3", "'no-such'"))
    shows(settings("[sshd]\nunavailable = ignore"), "settings-wrong", status=2, says=("remote-ignore",))
    shows(moved(CONF), "settings-missing", status=2)
    shows(mode(CONF, 0o666), "settings-open", status=2)
    shows(settings("users = alice malice"), "unknown-name", status=0, says=("malice",))
    shows(settings("unavailable = ignore\nremote-ignore = yes"), "fails-open", status=0)
    shows(settings("[sudo]\nunavailable = ignore"), "fails-open", status=0, says=("[sudo]",))
    shows(settings("[su]\nnever = malice"), "unknown-name", status=0, says=("[su]", "malice"))
    shows(settings("", backend="http://127.0.0.1:9"), "server-unreachable")
    with settings("", backend=f"unix:{PUBLIC}\nbackend = http://127.0.0.1:9"):
        told = Told()
        equal((told.words("problem"), "plain-http" in told.words("note")), (["server-unreachable"], True))
    shows(settings("ca-file = /etc/mpin/none.pem"), "ca-file-wrong", status=1)
    equal(Told().wrong, [])


@test
def broken_servers():
    """doctor tells a server that is stopped, slow, foreign, of another time or of other keys from each other"""
    once()
    told = shows(stopped(), "server-unreachable", "mpind-stopped", says=("mpind",))
    assert "clock" not in told.words("ok")
    through = f"unix:{PROXY}"
    for fault, word, more in (
        (Hangs("clientSettings"), "server-slow", "connect-timeout = 1\ncall-timeout = 1"),
        (Answers("clientSettings", 500), "server-failing", ""),
        (Answers("getQrUrl", 429), "server-busy", ""),
        (Answers("getQrUrl", 408), "clock-wrong", ""),
    ):
        with Proxy(PROXY, PUBLIC, fault), settings(more, backend=through):
            told = Told()
            assert word in told.words("problem", "note"), (word, told.findings)
    for seconds, word, status in (20, "clock", 0), (90, "clock-off", 0), (-90, "clock-off", 0), (
            7_300, "clock-wrong", 1):
        date = email.utils.formatdate(time.time() + seconds, usegmt=True)
        with Proxy(PROXY, PUBLIC, Dates(date)), settings(backend=through):
            told = Told()
            assert word in told.words("ok", "problem", "warning"), (word, told.findings)
            equal(told.status, status, word)
    with Front(PUBLIC) as front:
        https = f"https://localhost:{front.server.server_address[1]}"
        shows(settings(backend=https), "server-untrusted")
        shows(settings(f"ca-file = {front.certificate}", backend=https), "server-failing",
              says=("public-url",))


@test
def certificates():
    """doctor reaches a server by https, and says when its certificate ends soon"""
    once()
    with front() as server:
        with settings(f"ca-file = {server.certificate}", backend=ORIGIN):
            told = Told()
            equal((told.wrong, "server" in told.words("ok")), ([], True), told.findings)
    path, key = server.certificate, server.certificate.replace(".pem", ".key")
    with replaced(path, open(path).read()):
        run("openssl", "req", "-x509", "-key", key, "-days", "5", "-subj", f"/CN={NAME}", "-addext",
            f"subjectAltName=DNS:{NAME}", "-out", path)
        with front(), settings(f"ca-file = {path}", backend=ORIGIN):
            told = Told()
            equal((told.status, told.wrong), (0, ["certificate-ends"]))
            within(told.of("certificate-ends")[0]["message"], "4 days", NAME)


@test
def broken_seals():
    """a server that does not know this host's key is named, also beside one that does"""
    once()
    with open(KEY) as file:
        text = file.read()
    key = next(line for line in text.splitlines() if line.startswith("key"))
    shows(edited(KEY, key, "key = " + "11" * 32), "seal-refused", says=("host join",))
    equal(Login("mpin", "alice", site().alice).code, "SUCCESS")
    folder, second = "/var/lib/mpind-second", "/run/mpind/second.sock"
    where = ["--data", folder, "--authority-data", folder + "-ta", "--admin-socket", "/run/mpind/second-admin"]
    run("mpind", "init", *where)
    process = subprocess.Popen(["mpind", "serve", *where, "--listen", f"unix:{second}"],
                               stderr=subprocess.DEVNULL)
    try:
        while not os.path.exists(second):
            time.sleep(0.05)
        told = shows(settings(backend=f"unix:{PUBLIC}\nbackend = unix:{second}"), "seal-refused",
                     says=(second, "replica"))
        assert "host-key" in told.words("ok")
    finally:
        process.terminate()
        process.wait(30)


@test
def broken_stores():
    """doctor names what is wrong with the store, and what of it the login refuses"""
    once()
    alice, users = file_of("alice"), f"{STORE}/users"
    for broken, word, status in (
        (moved(users), "store-missing", 2), (mode(users, 0o755), "store-open", 2),
        (mode(STORE, 0o777), "store-open", 2), (owner(users, 1), "store-open", 2),
        (moved(f"{users}/.mpin-store"), "store-unmarked", 2), (moved(KEY), "host-key-missing", 1),
        (mode(KEY, 0o644), "host-key-open", 1), (replaced(KEY, "mpin-host = 1\n"), "host-key-wrong", 1),
        (mode(alice, 0o644), "user-file-open", 1), (replaced(alice, "rubbish\n"), "user-file-wrong", 1),
        (edited(alice, "name = alice", "name = alicia"), "account-renamed", 1),
        (edited(alice, "host = sandbox", "host = other"), "other-host", 1),
    ):
        with broken:
            told = Told()
            assert word in told.wrong, (word, told.findings)
            equal(told.status, status, word)
            code = Login("mpin", "alice", site().alice).code
            assert code in ("SERVICE_ERR", "SYSTEM_ERR"), (word, code)
    shutil.copy(alice, f"{users}/59999")
    with edited(f"{users}/59999", "uid = " + alice.split("/")[-1], "uid = 59999"):
        os.chmod(f"{users}/59999", 0o600)
        told = Told()
        within(told.of("account-gone")[0]["advice"], "mpin remove 59999")
        equal(told.status, 0)
    os.unlink(f"{users}/59999")
    equal(Told().wrong, [])


@test
def broken_stacks():
    """doctor finds each way of /etc/pam.d not to ask M-Pin, or not to believe it"""
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
    # What lets nobody past in truth lets nobody past here: the stack that doctor calls optional.
    with stacked("mpin", "auth sufficient pam_mpin.so", "auth required pam_permit.so"):
        equal(Login("mpin", "alice", "Kestrel-0000").code, "SUCCESS")
        within(Told().of("stack-optional")[0]["message"], "/etc/pam.d/mpin:1")
    site().unlock()
    with settings("unenrolled = ignore"), stacked("su", "auth [success=ok default=bad] pam_mpin.so"):
        assert "stack-denies-ignored" in Told().words("note")
    equal(Told().wrong, [])


@test
def broken_neighbours():
    """doctor reads sshd, sudo, root's way in and mpind's files as they are in effect"""
    once()
    for old, new, word, status in (
        ("UsePAM yes", "UsePAM no", "sshd-no-pam", 1),
        (METHODS + "\nKbdInteractiveAuthentication yes", "KbdInteractiveAuthentication no", "sshd-no-prompt", 1),
        ("KbdInteractiveAuthentication yes", "KbdInteractiveAuthentication no", "sshd-unread", 0),
        (METHODS, "", "sshd-key-alone", 1),
        ("publickey,keyboard-interactive:pam", "publickey", "sshd-key-alone", 1),
        ("publickey,keyboard-interactive:pam", "keyboard-interactive:pam", "sshd-pin-unasked", 0),
        ("PasswordAuthentication no", "PasswordAuthentication yes", "sshd-password", 0),
        ("UsePAM yes", "UsePAM yes\nLoginGraceTime 60", "sshd-grace", 0),
        ("UsePAM yes", "NoSuchWord yes", "sshd-unread", 0),
        ("Match User root", "Match User nobody", "no-way-for-root", 0),
    ):
        shows(edited(SSHD_CONF, old, new), word, status=status)
    shows(moved("/root/.ssh/authorized_keys"), "no-way-for-root", status=0)
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


@test
def mends():
    """doctor --fix mends modes, owners, marker and backups, and a second run finds nothing to mend"""
    once()
    alice, marker = file_of("alice"), f"{STORE}/users/.mpin-store"
    modes = {STORE: 0o755, f"{STORE}/users": 0o700, KEY: 0o600, alice: 0o600, RELAY: 0o755}
    for path, bits in modes.items():
        os.chmod(path, {STORE: 0o755, f"{STORE}/users": 0o755, RELAY: 0o744}.get(path, bits | 0o044))
    os.chown(alice, 1, -1)
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
    # Others could have written it, so somebody has to look first.
    with mode(alice, 0o666):
        told = Told("--fix")
        equal((told.words("problem"), told.of("user-file-open")[0]["fixable"]), (["user-file-open"], False))
    os.unlink(marker)
    with moved(f"{STORE}/users"):
        os.mkdir(f"{STORE}/users", 0o700)
        told = Told("--fix")
        equal((told.words("problem")[:1], told.mended), (["store-unmarked"], []), "an empty folder is no store")
    Told("--fix")
    equal(Told().wrong, [])


@test
def ordinary_users():
    """an ordinary user is told what he may see, and that the rest is unseen"""
    once()
    told = Told(prefix=as_user("alice"))
    equal((told.status, told.wrong), (0, []))
    assert "unseen" in told.words("note")
    for word in "store", "host-key", "sshd", "sudo", "root", "mpind":
        assert word not in told.words("ok"), word
    before = open(KEY).read()
    Told("--fix", prefix=as_user("alice"))
    equal(open(KEY).read(), before)


@test
def nobody_asked():
    """on a host whose stacks ask nobody, doctor says so and names setup"""
    once()
    kept = {}
    for service in "sudo", "su", "login", "sshd", "mpin", "mpin-or-pass":
        kept[service] = open(f"/etc/pam.d/{service}").read()
        stack(service, "auth required pam_unix.so")
    try:
        told = Told()
        within(told.of("nobody-asked")[0]["advice"], "mpin setup")
        equal((told.status, told.wrong), (0, []))
    finally:
        for service, text in kept.items():
            open(f"/etc/pam.d/{service}", "w").write(text)


@test
def test_pictures():
    """doctor --screen draws what a phone reads, in each mode, and says whether it fits"""
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
        equal([one["mode"] for one in every], ["utf8", "utf8-inverse", "ascii", "ascii-inverse"])
        equal([one["fits"] for one in every], [True, True, False, False])
        equal({one["text"] for one in every}, {wanted})
        within(run("mpin", "doctor", "--screen", "auto"), "qr = ")
