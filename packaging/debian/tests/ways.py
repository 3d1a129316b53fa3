# SPDX-License-Identifier: Apache-2.0
# Tests of every login method on a host whose packages are installed; each test builds on those before it.
from host import (
    APPROVAL_CODE, BACKEND, DEVICE_PIN, NUMBER, PASSWORDS, PIN, Terminal, equal, report, run, secretly,
)
from host import sudo, within


def first_use():
    """`mpin setup` makes a server here, enrols alice, tests her login and switches on sudo and ssh"""
    said = secretly("mpin", "setup", "--backend", "here", "--host", "debian", "--service", "sudo",
                    "--service", "sshd", "--user", "alice=alice@example.org", "--yes", "--shut-out", pin=PIN)
    equal(run("systemctl", "is-active", "mpind.socket", "mpind.service").split(), ["active", "active"])
    return said


def healthy():
    """`mpin doctor` finds no problem on the machine"""
    said = report("mpin", "doctor")
    equal([finding for finding in said["findings"] if finding["level"] == "problem"], [])


def another_user():
    """`mpin enroll --here` gives carol a PIN without a code"""
    secretly("mpin", "enroll", "carol", "--identity", "carol@example.org", "--here", pin="Plover-3310")
    terminal = sudo("carol")
    terminal.answers("PIN for carol@example.org: ", "Plover-3310")
    equal(terminal.ends(), ("\nroot\n", 0))


def sudo_by_pin():
    """sudo accepts alice's PIN, but not her password"""
    terminal = sudo("alice")
    terminal.answers("PIN for alice@example.org: ", PASSWORDS["alice"])
    within(terminal.answers("PIN for alice@example.org: ", PIN), "Wrong PIN")
    equal(terminal.ends(), ("\nroot\n", 0))


def ssh(user, *options):
    unknown = "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-q"
    return Terminal("ssh", *unknown, *options, f"{user}@127.0.0.1", "id", "-un", user="alice")


def ssh_by_key_and_pin():
    """ssh lets alice in with key and PIN together, but not with one of them"""
    terminal = ssh("alice")
    terminal.answers("M-Pin PIN: ", PIN)
    equal(terminal.ends(), ("\nalice\n", 0))
    screen, status = ssh("alice", "-o", "PubkeyAuthentication=no", "-o", "NumberOfPasswordPrompts=1").ends()
    assert status == 255, (screen, status)
    screen, status = ssh("alice", "-o", "BatchMode=yes").ends()
    assert status == 255, (screen, status)


def explained():
    """`mpin why` for sshd assumes the key that sshd demands, and says that the PIN is open"""
    said = report("mpin", "why", "alice", "--service", "sshd")
    equal((said["key"], said["pin"]["open"]), ("assumed", True))


def second_device():
    """dora's device approves what sudo shows, and its approval code lets her in"""
    code = report("mpind", "user", "add", "dora@example.org")["activationCode"]
    device = report("mpin", "enroll", "--personal", "--identity", "dora@example.org", "--backend", BACKEND,
                    user="dora", pin=DEVICE_PIN, code=code)
    run("mpin", "allow", "dora", device["identity"]["id"], "--way", "phone", "--label", "dora's phone")
    second_device_again()


def second_device_again():
    """the approval code that dora's device shows for sudo's QR code lets her in"""
    terminal = sudo("dora")
    screen = terminal.shows("pproval code from your phone[^:]*: ")
    number = "".join(NUMBER.search(screen).groups())
    shown = APPROVAL_CODE.search(secretly("mpin", "approve", number, user="dora", pin=DEVICE_PIN))[0]
    terminal.types(shown)
    equal(terminal.ends(), ("\nroot\n", 0))


def password(user):
    terminal = sudo(user)
    terminal.answers(f"password for {user}: ", PASSWORDS[user])
    equal(terminal.ends(), ("\nroot\n", 0))


def password_for_others():
    """bob, who is not enrolled, still logs in with the password"""
    password("bob")


def root_gets_in():
    """root gets in with the Unix password, by su and on the console"""
    terminal = Terminal("su", "root", "-c", "id -un", user="bob")
    terminal.answers("Password: ", PASSWORDS["root"])
    equal(terminal.ends(), ("\nroot\n", 0))
    console = Terminal("login", "root")
    console.answers("Password: ", PASSWORDS["root"])
    console.answers("root@.*# ", "id -un; exit")
    within(console.ends()[0], "\nroot\n")


AGAIN = [sudo_by_pin, ssh_by_key_and_pin, second_device_again, password_for_others]
ALL = [first_use, healthy, sudo_by_pin, another_user, ssh_by_key_and_pin, explained, second_device,
       password_for_others, root_gets_in]
