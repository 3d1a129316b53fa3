# SPDX-License-Identifier: Apache-2.0
# Which users count as at this host: each row of the table in pam_mpin(8), by a real program.
import contextlib
import json
import os
import pwd
import shutil
import subprocess

from house import LOGIN, PASSED, as_user, finish, pamtester, plain, run, settings, site, spawn, stack
from support import LOG, absent, equal, eventually, replaced, within
from test_sshd import KEY_AND_PIN, Sshd, ssh
from vt import Console

REFUSED = "M-Pin did not let you in."
PLAIN = "auth required pam_mpin.so"
ROOT_PIN = "Heron-9021-x"


def uid(name):
    return pwd.getpwnam(name).pw_uid


def decided(mark, ending, **wanted):
    """Checks the login's log line: how it ended, and these pairs; None: the pair is absent."""
    _, pairs, line = LOG.record(mark, "pam_mpin")
    within(line, ending)
    equal({key: pairs.get(key) for key in wanted}, wanted, line)


def why(service, user="bob", *options):
    """Row, remoteness and source, as `mpin why` reports them."""
    told = json.loads(run("mpin", "why", user, "--service", service, *options, "--json", status=None))
    return told["seat"], told["remote"], told["source"]


def unasked(screen):
    """The screen is a refusal without a prompt and without a reason."""
    within(screen, REFUSED)
    absent(screen, "PIN for", "PIN:", "enrol", "server", "Tries")


@contextlib.contextmanager
def root_has_a_pin():
    """root is enrolled on this host, while the block runs."""
    if not os.path.exists("/var/lib/mpin/users/0"):
        site().mpind.enrol("root", "root@example.org", ROOT_PIN, "--remote")
    try:
        yield
    finally:
        run("mpin", "remove", "root")


def without_terminal(*command, typed="", timeout=60):
    """Runs a program in a new session: it has no terminal, and reads `typed` from a pipe."""
    done = subprocess.run(["setsid", "--wait", *command], input=typed, text=True, capture_output=True,
                          timeout=timeout)
    return done.stdout + done.stderr, done.returncode


def test_a_setting_decides():
    """`remote = yes` and `no` in a service's section decide, whatever else is known about the caller"""
    with replaced("/etc/pam.d/desk", PLAIN + "\n"):
        at_a_desk()


def at_a_desk():
    with settings("[desk]\nremote = no\n"):
        mark = LOG.mark()
        equal(pamtester("desk", "bob", site().bob + "\n", seat=())[0], PASSED)
        decided(mark, "granted", source="local:0:desk", seat=None)
        # With a display manager that serves X terminals, PAM_RHOST names the user's terminal.
        mark = LOG.mark()
        equal(pamtester("desk", "bob", site().bob + "\n", "-I", "rhost=192.0.2.7", seat=())[0], PASSED)
        decided(mark, "granted", source="local:0:desk")
        equal(why("desk"), ("setting", False, "local:0:desk"))
    with settings("[desk]\nremote = yes\n"):
        mark = LOG.mark()
        code, screen = pamtester("desk", "bob", site().bob + "\n")
        equal(code, "AUTH_ERR")
        unasked(screen)
        decided(mark, "refused", reason="remote-pin", source="unknown", seat="setting")
        equal(why("desk", "bob", "--caller", "setuid"), ("setting", True, "unknown"))
    with settings("remote = no\n"):
        mark = LOG.mark()
        equal(pamtester("desk", "bob", site().bob + "\n")[0], "SERVICE_ERR")
        decided(mark, "failed", reason="settings", key="remote", problem="needs-a-section")


def test_who_comes_by_ssh_is_remote():
    """a login by sshd, or with a host name in PAM_RHOST, comes over the network"""
    with Sshd(*KEY_AND_PIN):
        mark = LOG.mark()
        equal(ssh("alice", site().alice)[1], 0)
        decided(mark, "granted", source="127.0.0.1", seat=None)
    mark = LOG.mark()
    code, screen = pamtester("mpin", "bob", site().bob + "\n", "-I", "rhost=desk.example.org")
    equal(code, "AUTH_ERR")
    unasked(screen)
    decided(mark, "refused", source="unknown", seat=None)
    equal(why("sshd", "bob", "--rhost", "192.0.2.7"), ("network", True, "192.0.2.7"))


def test_sudo_is_a_seat():
    """users of sudo are at this host: at a terminal, by `sudo -S` without one, and if sudo sets PAM_RHOST"""
    source = f"local:{uid('bob')}"
    mark = LOG.mark()
    child = spawn(*as_user("bob"), "sudo", "-k", "id", "-un")
    child.expect("PIN for bob@example.org: ")
    child.waitnoecho()
    child.sendline(site().bob)
    equal(plain(finish(child)[0]).strip(), "root")
    decided(mark, "granted", source=source, service="sudo")
    for more in "", "Defaults pam_rhost\n":
        with open("/etc/sudoers.d/seats", "w") as file:
            file.write(more)
        mark = LOG.mark()
        screen, status = without_terminal(*as_user("bob"), "sudo", "-k", "-S", "id", "-un",
                                          typed=site().bob + "\n")
        os.unlink("/etc/sudoers.d/seats")
        within(screen, "PIN for bob@example.org: ", "root\n")
        equal(status, 0)
        decided(mark, "granted", source=source, seat=None)
    equal(why("sudo"), ("setuid", False, source))


def test_su_is_a_seat():
    """users of su are at this host, even in a script without a terminal"""
    mark = LOG.mark()
    screen, status = without_terminal(*as_user("alice"), "su", "bob", "-c", "id -un", typed=site().bob + "\n")
    within(screen, "PIN for bob@example.org: ", "bob\n")
    equal(status, 0)
    decided(mark, "granted", source=f"local:{uid('alice')}", service="su", seat=None)


@contextlib.contextmanager
def setuid_program():
    """pamtester as a setuid program of root's."""
    path = "/usr/local/bin/setuid-pamtester"
    shutil.copy("/usr/bin/pamtester", path)
    os.chmod(path, 0o4755)
    try:
        yield path
    finally:
        os.unlink(path)


def test_a_setuid_program_is_a_seat_of_persons():
    """a setuid program is a seat for a person and not for a service: a web server's process cannot try a
    four-digit PIN, and does not become root"""
    with setuid_program() as program, root_has_a_pin():
        login = [program, "mpin", "bob", "authenticate"]
        mark = LOG.mark()
        screen, status = without_terminal(*as_user("alice"), *login, typed=site().bob + "\n")
        within(screen, "PIN for bob@example.org: ", "successfully")
        equal(status, 0)
        decided(mark, "granted", source=f"local:{uid('alice')}", seat=None)
        mark, asked = LOG.mark(), passes()
        screen, status = without_terminal(*as_user("www-data"), *login, typed=site().bob + "\n")
        assert status != 0
        unasked(screen)
        decided(mark, "refused", reason="remote-pin", source="unknown", seat="setuid-service")
        mark = LOG.mark()
        screen, status = without_terminal(*as_user("www-data"), "su", "bob", "-c", "id",
                                          typed=site().bob + "\n")
        assert status != 0
        unasked(screen)
        decided(mark, "refused", reason="remote-pin", service="su", seat="setuid-service")
        screen, status = without_terminal(*as_user("www-data"), program, "mpin", "root", "authenticate",
                                          typed=ROOT_PIN + "\n")
        assert status != 0
        equal(passes(), asked, "requests of pass 1")
    equal(why("su", "bob", "--uid", "33"), ("setuid-service", True, "unknown"))


def test_login_defs_says_who_is_a_person():
    """UID_MIN and UID_MAX of login.defs say who is a person to a setuid program, from 60514 on and below 1000
    too; systemd's services and nobody are none"""
    with open("/etc/login.defs") as file:
        text = "".join(line for line in file if not line.startswith(("UID_MIN", "UID_MAX")))
    usual = "UID_MIN 1000\nUID_MAX 60000\n"
    rows = [(usual, 1234, True), (usual, 60513, True), (usual, 70000, True), (usual, 61234, False),
            (usual, 999, False), ("UID_MIN\t\t500\n", 600, True), ("UID_MIN 500\n", 499, False),
            ("UID_MAX\t65533\n", 60514, True), ("UID_MAX 65535\n", 65534, False),
            ("UID_MIN 2000\n", 1500, False), ("UID_MIN no\nUID_MAX 7\n", 1000, True), ("", 1000, True)]
    with setuid_program() as program:
        for lines, number, is_person in rows:
            mark = LOG.mark()
            with replaced("/etc/login.defs", text + lines):
                screen, status = without_terminal(
                    "setpriv", f"--reuid={number}", "--regid=65533", "--clear-groups", "--",
                    program, "mpin", "bob", "authenticate", typed=site().bob + "\n")
                equal(why("su", "bob", "--uid", str(number))[0], "setuid" if is_person else "setuid-service")
            equal(status == 0, is_person, f"{lines!r} {number}: {screen}")
            decided(mark, "", source=f"local:{number}" if is_person else "unknown",
                    seat=None if is_person else "setuid-service")


def passes():
    return open("/var/log/mpind.log").read().count('route="pass1"')


def test_a_daemon_is_no_seat():
    """a daemon that sets neither PAM_RHOST nor PAM_TTY is no seat: no PIN without a key, no root, and no
    reason in the refusal"""
    with root_has_a_pin():
        asked = passes()
        for user, pin, *items in (("bob", site().bob), ("root", ROOT_PIN), ("nobody-has-it", "1234"),
                                  ("bob", site().bob, "-I", "tty=tty1")):
            mark = LOG.mark()
            code, screen = pamtester("mpin", user, pin + "\n", *items, seat=())
            equal(code, "AUTH_ERR", (items, user))
            unasked(screen)
            decided(mark, "", source="unknown", seat="unproved")
        equal(passes(), asked, "requests of pass 1")
        with settings("remote-pin = long\n"):
            # Now all users get the same screens: root's right PIN is asked for and refused.
            mark = LOG.mark()
            code, screen = pamtester("mpin", "root", f"{ROOT_PIN}\n" * 3, seat=())
            equal(code, "AUTH_ERR")
            within(screen, "M-Pin PIN: ", REFUSED)
            decided(mark, "", reason="never", seat="unproved")
            equal(pamtester("mpin", "alice", site().alice + "\n", seat=())[0], PASSED)
        # The same PIN lets in where root is known to be at this host.
        equal(pamtester("mpin", "root", ROOT_PIN + "\n")[0], PASSED)
    equal(why("mpin"), ("unproved", True, "unknown"))


@contextlib.contextmanager
def plain_login():
    """The stack of login without the argument that other tests use."""
    stack("login", PLAIN)
    try:
        yield
    finally:
        stack("login", *LOGIN)


def test_a_real_terminal_is_a_seat():
    """login at a virtual console is a seat, which its terminal shows; root's PIN lets in there"""
    with plain_login(), root_has_a_pin():
        for user, pin, label, sign in ("bob", site().bob, "bob@", "$"), ("root", ROOT_PIN, "root@", "#"):
            mark = LOG.mark()
            with Console("login", user) as console:
                console.shows(f"PIN for {label}example.org:").hides().types(pin)
                eventually(lambda: LOG.since(mark, "granted"), "a login at the console")
                decided(mark, "granted", source=f"local:0:{console.name}", service="login", seat=None)
                equal(why("login", user, "--tty", console.name),
                      ("console", False, f"local:0:{console.name}"))


def test_a_pseudoterminal_is_no_seat():
    """login under a web terminal or at a container's console is no seat, even if its terminal is called
    tty1"""
    as_tty1 = ["unshare", "--mount", "sh", "-c", """
        tty=$(tty); [ -e /dev/tty1 ] || : >/dev/tty1; mount --bind "$tty" /dev/tty1
        exec "$@" <>/dev/tty1 >&0 2>&1""", "sh"]
    with plain_login():
        for prefix in [], as_tty1:
            mark = LOG.mark()
            child = spawn(*prefix, "login", "bob")
            child.expect("M-Pin did not let you in")
            absent(child.before, "PIN for")
            # The log line comes after the text on the screen: wait for it before closing login.
            decided(mark, "refused", reason="remote-pin", source="unknown", seat="unproved")
            child.close(force=True)
        for name in "/dev/pts/3", ":0":
            equal(why("login", "bob", "--tty", name), ("unproved", True, "unknown"))


def test_cron_asks_nobody():
    """cron does not authenticate the owners of its jobs, because it could not prompt for their PINs"""
    made, permit = "/tmp/made-by-cron", "required pam_permit.so\n"
    with replaced("/etc/pam.d/cron", f"{PLAIN}\naccount {permit}session {permit}"), replaced(
            "/etc/cron.d/seats", f"@reboot bob id -un >{made}\n"):
        mark = LOG.mark()
        cron = subprocess.Popen(["cron", "-f"], stdin=subprocess.DEVNULL)
        try:
            eventually(lambda: os.path.exists(made) and open(made).read() == "bob\n", "the job of bob")
        finally:
            cron.terminate()
            cron.wait(60)
        equal(LOG.since(mark, "pam_mpin"), [])
