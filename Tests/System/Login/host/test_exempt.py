# SPDX-License-Identifier: Apache-2.0
# Accounts and addresses that are exempt: by ssh a key alone lets them in, elsewhere the rest of the stack
# decides.
import contextlib
import json

from doctor import Told, once, shows, stacked
from house import MPIN_OR_PASS, REMOTE, Login, as_user, finish, plain, run, settings, site, spawn
from support import LOG, absent, equal, replaced, within
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
    shows(settings("exempt-users = malice\n"), "exempt-unknown", status=1, says=("malice", "exempts nobody"))


@contextlib.contextmanager
def groups(*names):
    """Groups of these names whose only member is bob, while the block runs."""
    with open("/etc/group") as file:
        text = file.read()
    lines = "".join(f"{name}:x:{4711 + number}:bob\n" for number, name in enumerate(names))
    with replaced("/etc/group", text + lines):
        yield


def bobs_login(*answers):
    mark = LOG.mark()
    return Login("mpin-or-pass", "bob", *answers), LOG.since(mark, "pam_mpin")


def test_a_group_with_a_blank():
    """a group whose name has a blank is exempt by its name in quotes; without them its words exempt none"""
    with stacked("mpin-or-pass", *MPIN_OR_PASS), groups("admins", "domain admins"):
        for line, is_exempt in (
                ('exempt-groups = "domain admins"', True), ('exempt-groups = wheel* domain" "admins', True),
                ('exempt-groups = * !"domain admins"', False), ("exempt-groups = admins", True),
                ("exempt-groups = domain admins", False)):
            with settings(line + "\n"):
                login, lines = bobs_login(site().bob)
                equal((login.code, len(login.prompts)), ("SUCCESS", 0 if is_exempt else 1), line)
                equal("not-exempt" in "".join(lines), line == "exempt-groups = domain admins", lines)
        for line in ('exempt-groups = "domain admins', 'never = "', 'users = bo"b', 'groups = ""',
                     'never = ""'):
            with settings(line + "\n"):
                login, lines = bobs_login(site().bob)
                equal((login.code, login.prompts), ("SERVICE_ERR", []), line)
                within(lines[-1], f'key="{line.split()[0]}"', 'problem="bad-value"')
        # libpam takes off the brackets around an argument with blanks.
        rule, rest = MPIN_OR_PASS
        for argument, word in (('[exempt-groups="domain admins"]', "exempt"),
                               ("[exempt-groups=no admins]", "exemptFault")):
            with stacked("mpin-or-pass", f"{rule} remote=no {argument}", rest):
                equal(len(bobs_login(site().bob)[0].prompts), 0 if word == "exempt" else 1)
                told = json.loads(run("mpin", "why", "bob", "--service", "mpin-or-pass", "--json"))
                assert word in told, told
        with settings('never = "bob"\n'):
            equal(bobs_login(site().bob)[0].code, "USER_UNKNOWN")


def test_a_name_that_nobody_has():
    """a list of exemptions with a name that no database has exempts nobody: log, `mpin why` and doctor say
    so; people with a PIN still log in"""
    once()
    with stacked("mpin-or-pass", *MPIN_OR_PASS), groups("admins"):
        for line, name in (("exempt-groups = domain admins", "domain"),
                           ("exempt-users = bob malice", "malice"), ("exempt-users = * !malice", "malice")):
            with settings(line + "\n"):
                login, lines = bobs_login(site().bob)
                equal((login.code, len(login.prompts)), ("SUCCESS", 1), line)
                within(lines[0], f'not-exempt reason="{line.split()[0]}" problem="unknown-name"',
                       f'name="{name}"', 'user="bob"')
                told = json.loads(run("mpin", "why", "bob", "--service", "sudo", "--json"))
                assert "exempt" not in told, told
                within(told["exemptFault"], f"'{line}' exempts nobody", f"'{name}'")
                shows(contextlib.nullcontext(), "exempt-unknown", status=1, says=(name, "exempts nobody"))


def test_a_name_that_cannot_be_looked_up():
    """while a database of groups cannot be asked, a list with a name that only it may have exempts nobody,
    and people log in by PIN"""
    with open("/etc/nsswitch.conf") as file:
        lines = [line for line in file if not line.startswith("group:")]
    with stacked("mpin-or-pass", *MPIN_OR_PASS), groups("admins"), replaced(
            "/etc/nsswitch.conf", "".join(lines) + "group: files hesiod\n"):
        with settings("exempt-groups = admins\n"):
            equal(bobs_login()[0].prompts, [])
        with settings("exempt-groups = admins directory-group\n"):
            login, lines = bobs_login(site().bob)
            equal((login.code, len(login.prompts)), ("SUCCESS", 1))
            within(lines[0], 'not-exempt reason="passwd-database" errno=')
