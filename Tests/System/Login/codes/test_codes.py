# SPDX-License-Identifier: Apache-2.0
# Backup codes through real PAM: valid once, on this host only, without a server; no failure lets a user in.
import concurrent.futures
import json
import subprocess

from house import (CONF, LOGIN, PUBLIC, REMOTE, STORE, Login, as_user, finish, no_server, plain, run,
                   settings, site, spawn, stack)
from proxy import Proxy
from standin import STANDING, StandIn
from support import LOG, absent, equal, read, within
from test_faults import FAST, PROXY
from test_impostors import GIVEN
from test_policy import carol, moved
from test_secrecy import found
from test_sshd import KEY_AND_PIN, Sshd, ssh

WRONG = "BCDF-GHJK-LMNP-QRST"
NAMED = "backup-codes = mpin sudo su"
CODES_CONF = "/etc/mpin/codes.conf"


def new_codes(user="alice", count=8):
    # mpin.conf may not name a service yet; without one the command refuses to make codes.
    with open(CODES_CONF, "w", encoding="utf-8") as file:
        file.write(f"backend = unix:{PUBLIC}\n{NAMED}\n")
    return json.loads(run("mpin", "backup-codes", user, "--count", str(count), "--json", "--config",
                          CODES_CONF))["codes"]


def left(user="alice"):
    return json.loads(run("mpin", "show", user, "--json")).get("backupCodes")


def sudo():
    """One sudo of alice, up to the prompt."""
    child = spawn(*as_user("alice"), "sudo", "-k", "id", "-un")
    child.expect("PIN for .*: ")
    child.waitnoecho()
    return child


def test_code_without_a_server():
    """a backup code lets in without a server, once; the screen, the log and the environment say so"""
    codes = new_codes()
    with settings(NAMED), no_server():
        mark = LOG.mark()
        login = Login("mpin", "alice", codes[0].lower())
        equal((login.code, login.environment), ("SUCCESS", {"MPIN_METHOD": "backup"}))
        within(login.screen, "PIN for alice@example.org: ", "You have used a backup code.",
               "Backup codes left: 7.")
        priority, pairs, line = LOG.record(mark)
        equal((priority, pairs["way"], pairs["left"], pairs["user"]), (6, "backup", "7", "alice"))
        within(line, "granted")
        absent("".join(LOG.since(mark)), codes[0], codes[0].lower(), codes[0].replace("-", ""))
        equal(left(), 7)
        mark = LOG.mark()
        login = Login("mpin", "alice", codes[0], codes[0], codes[0])
        equal((login.code, len(login.prompts)), ("AUTH_ERR", 3))
        within(login.screen, "Wrong backup code.")
        equal(LOG.record(mark)[1]["reason"], "wrong-backup-code")
        assert 1_000_000 <= login.delay <= 3_000_000, login.delay
    equal(left(), 7)


def test_revoked_account():
    """a revoked account's code is refused while mpind is up"""
    run("useradd", "--create-home", "judy")
    site().mpind.enrol("judy", "judy@example.org", "4711")
    codes = new_codes("judy")
    with settings(NAMED + "\n" + FAST):
        mark = LOG.mark()
        equal(Login("mpin", "judy", codes[0]).code, "SUCCESS")
        equal(LOG.record(mark)[1]["standing"], "confirmed")
        site().mpind.admin("user", "revoke", "judy@example.org")
        mark = LOG.mark()
        login = Login("mpin", "judy", codes[1])
        assert login.code != "SUCCESS" and len(login.prompts) == 1, login.code
        within(LOG.record(mark)[2], "revoked")
    equal(left("judy"), 7)
    run("mpin", "remove", "judy")


def test_code_after_a_pin():
    """after a PIN that cannot be sent the prompt asks for a backup code, also in sudo"""
    codes = new_codes()
    with settings(NAMED), no_server():
        login = Login("mpin", "alice", site().alice, codes[0])
        equal((login.code, login.prompts[1]), ("SUCCESS", "Backup code: "))
        within(login.screen, "The M-Pin server cannot help now. Use a backup code, or try again later.")
        child = sudo()
        child.sendline(site().alice)
        child.expect("Backup code: ")
        child.waitnoecho()
        child.sendline(codes[1])
        screen, status = finish(child)
        within(plain(screen), "root")
        equal(status, 0)
    with settings(), no_server():
        equal(Login("mpin", "alice", site().alice, codes[2]).code, "AUTHINFO_UNAVAIL")


def test_code_of_a_device():
    """a user who has only a second device is asked for a backup code when the server is unreachable"""
    device = "0b" * 32
    run("useradd", "--create-home", "kira")
    run("mpin", "allow", "kira", device, "--way", "phone", "--label", "Pixel")
    code, = new_codes("kira", 1)
    with settings(NAMED + "\n[mpin]\nmethod = pin phone"), no_server():
        login = Login("mpin", "kira", WRONG, code)
        equal((login.code, login.prompts), ("SUCCESS", ["Backup code: "] * 2))
        within(login.screen, "That was your last backup code.")
        equal(Login("mpin", "kira").code, "AUTHINFO_UNAVAIL")
    run("mpin", "remove", "kira")


def test_other_codes():
    """another user's code, or a code in a service that is not named, is refused and remains valid"""
    codes, his = new_codes(), new_codes("bob")
    calls = open("/var/log/mpind.log").read().count("pass1")
    with settings(NAMED):
        equal(Login("mpin", "alice", *his[:3]).code, "AUTH_ERR")
    for lines in "", "backup-codes = none", "backup-codes = sudo mpi mpinx", "[sudo]\nbackup-codes = mpin":
        with settings(lines):
            mark = LOG.mark()
            equal(Login("mpin", "alice", *codes[:3]).code, "AUTH_ERR", lines)
            equal(LOG.record(mark)[1]["reason"], "no-pin")
    for value in "yes", "all", "sudo *", "":
        with settings(f"backup-codes = {value}"):
            equal(Login("mpin", "alice", site().alice).code, "SERVICE_ERR", value)
    equal((left(), left("bob")), (8, 8))
    equal(open("/var/log/mpind.log").read().count("pass1"), calls)


def test_typed_codes_stay():
    """a backup code, right or wrong, never leaves this host in any form; a right one causes one request"""
    codes = new_codes()
    more = f"{GIVEN}{NAMED}\ntries = 3"
    with StandIn() as standin, Proxy(PROXY, PUBLIC) as proxy, settings(more, backend=f"unix:{PROXY}"):
        equal(Login("mpin", "alice", codes[0]).code, "SUCCESS")
        equal((len(standin.asked(STANDING)), proxy.calls), (1, ["/rps/standing"]))
        equal(Login("mpin", "alice", WRONG, site().alice).code, "SUCCESS")
        asked, answered = b"".join(standin.questions), b"".join(standin.answers)
        typed = [WRONG, WRONG.replace("-", ""), codes[0], codes[0].replace("-", "")]
        equal(found(typed, [asked, answered, bytes(proxy.record)]), [])
        assert found(["alice@example.org"], [asked]), "the search does not find what is sent"


def stranger(user):
    return Login("sshd", user, WRONG, "12345678", WRONG, items={**REMOTE, "3": "ssh"})


def test_from_afar():
    """over ssh a code is valid only if sshd itself is named, and strangers see the same screens"""
    codes = new_codes()
    carol()
    with Sshd(*KEY_AND_PIN), no_server():
        for lines in "", NAMED:
            with settings(lines):
                equal(ssh("alice", *codes[:3])[1], 255)
        equal(left(), 8)
        with settings("backup-codes = sshd"):
            screen, status = ssh("alice", codes[0])
            within(screen, "(alice@127.0.0.1) \nM-Pin PIN: \n", "alice\n")
            equal((status, left()), (0, 7))
    screens = set()
    for lines in "method = pin phone", "method = pin\nremote-pin = long", "method = pin":
        with settings(f"[sshd]\nbackup-codes = sshd\n{lines}"), no_server():
            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                logins = pool.map(stranger, ["alice", "bob", "carol", "nobody-at-all"])
            for login in logins:
                screens.add((lines, login.screen, login.code == "SUCCESS"))
                equal(len(login.prompts), 3, lines)
                assert login.seconds >= 5.9, f"{lines}: after {login.seconds} s"
    equal(len(screens), 3, screens)


def test_ended_codes():
    """a new set and --remove end the old codes, and an account that is not enrolled gets none"""
    old, new = new_codes(), new_codes(count=1)
    with settings(NAMED):
        equal(Login("mpin", "alice", old[0], new[0]).code, "SUCCESS")
        codes = new_codes()
        within(run("mpin", "backup-codes", "alice", "--remove"), "no backup codes any more. Unused: 8.")
        equal((Login("mpin", "alice", codes[0], None).code, left()), ("CONV_ERR", None))
        run("mpin", "backup-codes", "alice", "--remove", status=1)
    within(run("mpin", "backup-codes", "nobody-at-all", status=2), "")
    run("mpin", "backup-codes", "carol", status=1)


def test_no_service():
    """codes are not made while no service accepts them, and the command says where to name a service"""
    before = left()
    done = subprocess.run(["mpin", "backup-codes", "alice"], capture_output=True, text=True, timeout=60)
    equal((done.returncode, done.stdout, left()), (2, "", before))
    within(done.stderr, "No service on this host takes backup codes.", "backup-codes = sudo login")
    with moved(CONF):
        said = run("sh", "-c", "mpin backup-codes alice 2>&1", status=2)
        within(said, "No service on this host takes backup codes.", CONF)
    equal(left(), before)


def test_ways_in_that_stay():
    """with the manual's stack root can always log in at the console, and other users cannot without M-Pin"""
    run("chpasswd", input="root:unix-root\n")
    manual = read("packaging/man/pam_mpin.8")
    lines = [line for line in manual.splitlines() if line.startswith("auth  ")]
    stack("login", *lines[lines.index(next(line for line in lines if "uid eq 0" in line)):][:3])
    try:
        code, = new_codes(count=1)
        with settings("backup-codes = login"), no_server():
            equal(Login("login", "root", "unix-root").code, "SUCCESS")
            equal(Login("login", "root", "unix-alice").code, "AUTH_ERR")
            equal(Login("login", "alice", code, "unix-alice").code, "SUCCESS")
            assert Login("login", "alice", code, "unix-alice").code != "SUCCESS"
        with moved(f"{STORE}/users/.mpin-store"), settings("no-such-key = 1"):
            equal(Login("login", "root", "unix-root").code, "SUCCESS")
            for answers in ("unix-alice",), (site().alice, "unix-alice"):
                assert Login("login", "alice", *answers).code != "SUCCESS"
        child = spawn("login")
        child.expect("login: ")
        child.sendline("root")
        child.expect("assword: ")
        child.waitnoecho()
        child.sendline("unix-root")
        child.expect("# ")
        child.sendline("id -un; exit")
        within(finish(child)[0], "root")
    finally:
        stack("login", *LOGIN)
