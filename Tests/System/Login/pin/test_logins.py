# SPDX-License-Identifier: Apache-2.0
# Right PIN, wrong PIN, locked, unlocked, revoked: by every program for logins at the machine itself.
import json
import pwd
import subprocess

import pexpect

from house import HOST, PUBLIC, Login, as_user, finish, pamtester, plain, run, settings, site, spawn
from proxy import Hangs, Proxy
from support import LOG, absent, equal, eventually, within


def sudo(pin, *options, user="alice"):
    """One sudo of `user` at a terminal: the prompt, the screen and the exit status."""
    child = spawn(*as_user(user), "sudo", "-k", *options, "id", "-un")
    child.expect("PIN for .*: ")
    prompt = child.after
    child.waitnoecho()
    child.sendline(pin)
    screen, status = finish(child)
    return prompt, plain(screen).strip(), status


def hears_of_wrong_pins():
    """Logs alice in, so that the notice of earlier tests' wrong PINs is used up."""
    equal(Login("mpin", "alice", site().alice).code, "SUCCESS")


def test_right_pin_by_pamtester():
    """the right PIN lets in by pamtester, and the log has user, method and source"""
    mark = LOG.mark()
    code, screen = pamtester("mpin", "alice", site().alice + "\n")
    equal(code, "success")
    within(screen, "PIN for alice@example.org: ")
    priority, pairs, line = LOG.record(mark)
    equal(priority, 6)
    within(line, "granted")
    equal({key: pairs[key] for key in ("user", "label", "service", "source", "way")}, {
        "user": "alice", "label": "alice@example.org", "service": "mpin", "way": "pin",
        "source": f"local:{pwd.getpwnam('alice').pw_uid}"})
    equal(len(pairs["attempt"]), 16)
    equal(len(pairs["id8"]), 8)


def test_wrong_pin_by_pamtester():
    """after a wrong PIN pamtester shows how many tries are left"""
    mark = LOG.mark()
    code, screen = pamtester("mpin", "alice", "Kestrel-4712\n" + "Kestrel-4713\n" + site().alice + "\n")
    equal(code, "success")
    equal(screen.count("PIN for alice@example.org: "), 3)
    within(screen, "Wrong PIN. Tries left: 2.", "Wrong PIN. One try left.")
    login = Login("mpin", "alice", "Kestrel-4712", None)
    equal(login.code, "CONV_ERR")
    absent("".join(LOG.since(mark)), "Kestrel", "4712")


def test_environment_of_a_good_login():
    """a granted login sets identity and method in the PAM environment, and does not change PAM_USER"""
    hears_of_wrong_pins()
    login = Login("mpin", "alice", site().alice)
    equal(login.code, "SUCCESS")
    equal(login.environment, {"MPIN_IDENTITY": "alice@example.org", "MPIN_METHOD": "pin"})
    equal(login.done["user"], "alice")
    equal(login.screen, "PIN for alice@example.org: ")
    equal(login.delay, 0)


def test_sudo_lets_in():
    """sudo lets in with the right PIN, whatever its prompt"""
    hears_of_wrong_pins()
    equal(sudo(site().alice), ("PIN for alice@example.org: ", "root", 0))
    child = spawn(*as_user("alice"), "sudo", "-k", "-p", "say: ", "id", "-un")
    child.expect("say: ")
    child.sendline(site().alice)
    screen, status = finish(child)
    equal((plain(screen).strip(), status), ("root", 0))


def test_sudo_refuses():
    """sudo refuses a wrong PIN, and the module requests a delay"""
    _, screen, status = sudo("Kestrel-0000")
    equal(status, 1)
    within(screen, "Wrong PIN. Tries left: 2.")
    login = Login("sudo", "alice", "Kestrel-0000", flags=0x8000)
    equal(login.code, "AUTH_ERR")
    # libpam varies the two seconds by up to half.
    assert 1_000_000 <= login.delay <= 3_000_000, login.delay


def test_su_lets_in():
    """su becomes bob with bob's PIN and refuses alice's"""
    for pin, wanted in (site().bob, "bob"), (site().alice, None):
        child = spawn(*as_user("alice"), "su", "bob", "-c", "id -un")
        child.expect("PIN for bob@example.org: ")
        child.waitnoecho()
        child.sendline(pin)
        if wanted is None:
            child.expect("Wrong PIN")
            child.waitnoecho()
            child.sendintr()
            child.expect(pexpect.EOF)
            child.close()
            assert child.exitstatus != 0
        else:
            screen, status = finish(child)
            equal((plain(screen).strip(), status), (wanted, 0))


def test_login_lets_in():
    """login opens a shell with the right PIN"""
    child = spawn("login")
    child.expect("login: ")
    child.sendline("bob")
    child.expect("PIN for bob@example.org: ")
    child.waitnoecho()
    child.sendline(site().bob)
    child.expect(r"\$ ")
    child.sendline("echo $MPIN_IDENTITY-$(id -un)-$MPIN_METHOD")
    child.expect("bob@example.org-bob-pin")
    child.sendline("exit")
    child.expect(pexpect.EOF)


def test_three_wrong_pins_lock():
    """three wrong PINs lock; after `mpind user unlock` the right one lets in again"""
    login = Login("mpin", "bob", "1111", "2222", "3333")
    equal((login.code, len(login.prompts)), ("MAXTRIES", 3))
    login = Login("mpin", "bob", site().bob)
    equal(login.code, "MAXTRIES")
    within(login.screen, "Too many wrong PINs: locked for")
    site().mpind.unlock("bob@example.org")
    equal(Login("mpin", "bob", site().bob).code, "SUCCESS")


def test_locked_or_blocked():
    """in the module's log wrong PINs lock where time ends it, and block where only an administrator does"""
    identity = "olga@example.org"
    for options, word, ends in ((), "locked", True), (("--block-after", "3"), "blocked", False):
        code = site().mpind.admin("user", "add", identity, "--replace", *options)["activationCode"]
        run("mpin", "enroll", "bob", "--identity", identity, "--backend", f"unix:{PUBLIC}",
            fds={"--pin-fd": "8256-kiwi\n", "--code-fd": code + "\n"})
        equal(Login("mpin", "bob", "8256-kiwi").code, "SUCCESS")
        mark = LOG.mark()
        Login("mpin", "bob", "1111", "2222", "3333")
        priority, pairs, line = LOG.record(mark)
        equal((priority, "release-after" in pairs), (4, ends))
        within(line, f" {word} ")
        site().mpind.unlock(identity)
    site().mpind.enrol("bob", "bob@example.org", site().bob)


def test_revoked_is_out():
    """a revoked user is refused at once, and let in again after a new enrolment"""
    site().mpind.admin("user", "revoke", "bob@example.org")
    mark = LOG.mark()
    login = Login("mpin", "bob", site().bob)
    equal(login.code, "PERM_DENIED")
    within(login.screen, "Your M-Pin login is revoked or suspended. Ask your administrator.")
    equal(LOG.record(mark)[0], 4)
    site().mpind.enrol("bob", "bob@example.org", site().bob)
    equal(Login("mpin", "bob", site().bob).code, "SUCCESS")


def test_removed_is_out():
    """a removed user is refused at once, and nothing of them is left when they are added again"""
    admin, name = site().mpind.admin, "bob@example.org"
    admin("user", "suspend", name, "--reason", "a reason")
    equal(admin("user", "remove", name)["identities"], 1)
    equal(json.loads(run("mpind", "user", "list", "--user", name, "--json"))["users"], [])
    mark = LOG.mark()
    login = Login("mpin", "bob", site().bob)
    equal(login.code, "PERM_DENIED")
    within(login.screen, "Your M-Pin login is revoked or suspended. Ask your administrator.")
    equal(LOG.record(mark)[0], 4)
    site().mpind.enrol("bob", name, site().bob)
    equal(Login("mpin", "bob", site().bob).code, "SUCCESS")
    user, = json.loads(run("mpind", "user", "list", "--user", name, "--json"))["users"]
    equal(([one["state"] for one in user["identities"]], "suspended" in user), (["active"], False))
    within(run("mpind", "audit", "--user", name, "--last", "20"), "user.remove bob@example.org")


def test_unlocked_in_vain():
    """`mpind user unlock` says that a user is neither locked nor blocked, or revoked and must enrol again,
    and exits with 1"""
    site().mpind.enrol("bob", "nils@example.org", "8256-kiwi")
    revoked = "is revoked for good; `mpind user add NAME` prints a code for a new enrolment."
    nothing = "nils@example.org is neither locked nor blocked."
    for before, says in ((), nothing), (("user", "revoke"), revoked):
        if before:
            site().mpind.admin(*before, "nils@example.org")
        done = subprocess.run(["mpind", "user", "unlock", "nils@example.org"], capture_output=True, text=True,
                              timeout=60)
        equal((done.returncode, done.stdout), (1, ""))
        within(done.stderr, says)
    site().mpind.enrol("bob", "bob@example.org", site().bob)
    Login("mpin", "bob", "1111")
    within(run("mpind", "user", "unlock", "bob@example.org"), "Nothing was locked or blocked.")
    for pin in "1111", "2222", "3333":
        Login("mpin", "bob", pin)
    equal(run("mpind", "user", "unlock", "bob@example.org"), "Unlocked.\n")


def test_answers_that_are_no_attempt():
    """no answer, Enter, sshd's junk, and text that cannot be a PIN are never sent"""
    calls = eventually(lambda: open("/var/log/mpind.log").read(), "mpind's log").count("pass1")
    login = Login("mpin", "alice", None)
    equal(login.code, "CONV_ERR")
    for answer in "", "\b\n\r\177INCORRECT", "x" * 129, "caf\u00e9s":
        login = Login("mpin", "alice", answer, answer, answer)
        equal((login.code, len(login.prompts)), ("AUTH_ERR", 3), repr(answer))
        within(login.screen, "That is not a PIN.")
    equal(open("/var/log/mpind.log").read().count("pass1"), calls)
    equal(Login("mpin", "alice", site().alice).code, "SUCCESS")
    eventually(lambda: open("/var/log/mpind.log").read().count("pass1") > calls, "pass 1 in the server's log")


def test_host_name_of_the_demo():
    """the host's file has the name under which it joined"""
    within(open("/var/lib/mpin/host").read(), f"name = {HOST}")


def test_interrupted_wait():
    """Ctrl-C during a request to the server ends the login at once, in sudo and su"""
    patient = "deadline = 60\ncall-timeout = 50\n"
    for command, prompt, pin in (("sudo", "-k", "id"), "PIN for .*: ", site().alice), (
            ("su", "bob", "-c", "id"), "PIN for bob@example.org: ", site().bob):
        mark = LOG.mark()
        with Proxy("/run/mpind/proxy.sock", PUBLIC, Hangs("pass1")) as proxy, settings(
                patient, backend="unix:/run/mpind/proxy.sock"):
            child = spawn(*as_user("alice"), *command)
            child.expect(prompt)
            child.waitnoecho()
            child.sendline(pin)
            eventually(lambda: "/rps/pass1" in proxy.calls, "pass 1")
            child.sendintr()
            eventually(lambda: LOG.since(mark, "cancelled"), "the end of the login")
            child.close(force=True)


def test_interrupted_prompt():
    """Ctrl-C at the prompt of su leaves the terminal with echo on"""
    child = spawn(*as_user("alice"), "bash", "--norc", "-i")
    child.sendline("su bob -c id")
    child.expect("PIN for bob@example.org: ")
    child.waitnoecho()
    child.sendintr()
    child.sendline("")
    child.sendline("stty -a | grep -o -- '-*echo ' | tr -d ' ' | sed 's/^/now:/'")
    child.expect("now:(-?echo)\r")
    equal(child.match[1], "echo")
    child.close(force=True)
