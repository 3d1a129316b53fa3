# SPDX-License-Identifier: Apache-2.0
# Accounts and addresses that are exempt: by ssh a key alone lets them in, elsewhere the rest of the stack
# decides.
import json

from doctor import Told, once, shows, stacked
from house import MPIN_OR_PASS, REMOTE, Login, as_user, finish, plain, run, settings, site, spawn
from support import LOG, absent, equal, within
from test_sshd import KEY_AND_PIN, NO_KEY, PIN_ALONE, Sshd, asked, ssh

KEY = {"SSH_AUTH_INFO_0": "publickey ssh-ed25519 AAAA\n"}
SSH = {**REMOTE, "3": "ssh"}


def exempted(mark, **wanted):
    """Checks the log line of the last login, which was exempt."""
    priority, pairs, line = LOG.record(mark)
    within(line, ": exempt reason=")
    equal({"priority": priority, **{key: pairs.get(key) for key in wanted}}, {"priority": 6, **wanted}, line)


def test_a_key_alone():
    """an exempt account logs in by ssh with its key alone, and all other accounts are asked for the PIN"""
    before = asked()
    with settings("[sshd]\nexempt-users = bob\n"), Sshd(*KEY_AND_PIN):
        mark = LOG.mark()
        equal(ssh("bob"), ("bob\n", 0))
        exempted(mark, reason="exempt-users", policy="key", service="sshd", user="bob", source="127.0.0.1")
        equal(asked(), before)
        screen, status = ssh("alice", site().alice)
        equal(status, 0)
        within(screen, "M-Pin PIN: ")


def test_no_key_no_entry():
    """an exempt account cannot log in by ssh without its key: it is not asked and not let in"""
    before = asked()
    with settings("[sshd]\nexempt-users = bob\n"), Sshd(*PIN_ALONE):
        mark = LOG.mark()
        screen, status = ssh("bob", options=NO_KEY)
        assert status != 0
        absent(screen, "PIN", "bob\n")
        exempted(mark, reason="exempt-users", policy="ignore", service="sshd", user="bob")
    equal(asked(), before)


def test_from_an_address():
    """logins from an exempt address are not asked, and logins from outside of its network are"""
    with settings("exempt-from = 192.0.2.0/25 2001:db8::/32\nremote-pin = long\n"):
        for address in "192.0.2.7", "192.0.2.127", "2001:db8::7", "::ffff:192.0.2.7":
            mark = LOG.mark()
            login = Login("sshd", "alice", items={**SSH, "4": address})
            equal((login.code, login.screen), ("PERM_DENIED", ""), address)
            exempted(mark, reason="exempt-from", policy="ignore", source=address)
            equal(Login("sshd", "alice", items={**SSH, "4": address}, environment=KEY).code, "SUCCESS")
        for address in "192.0.2.128", "2001:db9::7", "desk.example.org":
            login = Login("sshd", "alice", site().alice, items={**SSH, "4": address})
            equal((login.code, len(login.prompts)), ("SUCCESS", 1), address)
        # A login at this host has no address.
        equal(len(Login("mpin", "alice", site().alice).prompts), 1)


def test_never_root():
    """root is not exempt remotely, not even with a key and whatever `never` says; accounts in never are
    not"""
    everybody = "exempt-users = *\nexempt-groups = *\nexempt-from = 0.0.0.0/0\nremote-pin = long\n"
    for never, reason in ("", "never"), ("never = none\n", "no-file"), ("never = root alice\n", "never"):
        with settings(everybody + never):
            mark = LOG.mark()
            login = Login("sshd", "root", *["12345678"] * 3, items=SSH, environment=KEY)
            equal((login.code, LOG.record(mark)[1]["reason"]), ("AUTH_ERR", reason), never)
    with settings(everybody + "never = alice\n"), stacked("mpin-or-pass", *MPIN_OR_PASS):
        for items in SSH, {}:
            mark = LOG.mark()
            login = Login("mpin-or-pass", "alice", *["12345678"] * 3, items=items, environment=KEY)
            equal(login.code, "AUTH_ERR" if items else "USER_UNKNOWN")
            equal(LOG.record(mark)[1]["reason"], "never")
    with settings(everybody), stacked("mpin-or-pass", *MPIN_OR_PASS):
        equal(Login("mpin-or-pass", "alice").code, "SUCCESS")


def test_the_stack_decides():
    """in sudo an exempt user is asked for the Unix password if the stack says so, else refused"""
    sudo = "auth [success=done ignore=ignore default=die] pam_mpin.so"
    with settings("[sudo]\nexempt-groups = bob\n"):
        with stacked("sudo", sudo, "auth required pam_unix.so"):
            for password, wanted in ("unix-bob", "root"), ("wrong", None):
                mark = LOG.mark()
                child = spawn(*as_user("bob"), "sudo", "-k", "id", "-un")
                child.expect("assword")
                absent(child.before, "PIN")
                child.waitnoecho()
                child.sendline(password)
                screen, status = finish(child)
                equal(plain(screen).split()[-1] == "root", wanted == "root", screen)
                equal(status == 0, wanted == "root")
                exempted(mark, reason="exempt-groups", policy="ignore", service="sudo", user="bob")
        with stacked("sudo", sudo):
            screen, status = finish(spawn(*as_user("bob"), "sudo", "-k", "id", "-un"))
            assert status != 0
            absent(screen, "PIN")
            equal("root" in plain(screen).splitlines(), False, screen)


def test_all_is_refused():
    """`exempt-users = all` is refused and lets no user past, and `mpin why` says what to write instead"""
    with settings("exempt-users = all\n"):
        mark = LOG.mark()
        equal(Login("mpin-or-pass", "alice").code, "SERVICE_ERR")
        pairs = LOG.record(mark)[1]
        equal((pairs["key"], pairs["problem"]), ("exempt-users", "bad-value"))
        said = run("sh", "-c", "mpin why alice --service su 2>&1", status=2)
        within(said, "'exempt-users'", "write 'none'")


def test_why_tells():
    """`mpin why` and `mpin test` report an exempt user, the setting, and what decides instead"""
    with settings("exempt-users = ali*\n"):
        told = json.loads(run("mpin", "why", "alice", "--service", "sudo", "--json"))
        equal((told["exempt"], told["outcome"], told["asked"]), ("exempt-users", "exempt", []))
        within(told["message"], "'exempt-users = ali*'", "the rest of the stack decides")
        afar = ["--service", "sshd", "--rhost", "192.0.2.7", "--key"]
        within(run("mpin", "why", "alice", *afar), "the public key that sshd accepted lets the account in")
        assert "exempt" not in json.loads(run("mpin", "why", "bob", "--service", "sudo", "--json"))
        said = run("sh", "-c", 'mpin test alice "$@" 2>&1', "sh", fds={"--pin-fd": site().alice + "\n"})
        within(said, "a login by PAM would not ask", "'exempt-users = ali*'", "would be let in")


def test_doctor_tells():
    """doctor lists services with exemptions, and warns of exemptions for all users"""
    once()
    with settings("[sshd]\nexempt-users = bob\n[su]\nexempt-from = 192.0.2.7\n"):
        told = Told()
        equal((told.status, told.wrong), (0, []))
        messages = [finding["message"] for finding in told.about("exempt")]
        equal(len(messages), 2)
        within(messages[0], "[sshd]", "'exempt-users = bob'")
        within(messages[1], "[su]", "'exempt-from = 192.0.2.7'")
    with stacked("su", "auth required pam_mpin.so exempt-users=bob"):
        within(Told().about("exempt")[0]["message"], "/etc/pam.d/su:1", "'exempt-users = bob'")
    for line in "exempt-users = *", "exempt-groups = *", "exempt-from = 0.0.0.0/0", "exempt-from = ::/0":
        shows(settings(f"[sudo]\n{line}\n"), "exempt-everybody", status=0, says=("[sudo]", line))
    shows(settings("exempt-users = malice\n"), "unknown-name", status=0, says=("malice",))
