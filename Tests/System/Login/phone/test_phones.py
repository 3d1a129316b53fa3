# SPDX-License-Identifier: Apache-2.0
# An approval by a second device in another process lets in, in every program; other texts and approvals do
# not.
from house import as_user
from phones import PhoneLogin, front, phone_settings, phones, sudo
from support import LOG, equal, within
from test_sshd import KEY, KEY_AND_PIN, SSH, Sshd, key_for


def ssh(user, *command):
    """An ssh of `user`, up to its prompt."""
    key_for(user)
    return PhoneLogin(*SSH, *KEY, f"{user}@127.0.0.1", *command)


def granted(console, way="phone"):
    """Checks the log line of the granted login on this console: its pairs."""
    _, pairs, _ = LOG.record(console.mark, "granted")
    equal(pairs["way"], way)
    return pairs


def test_every_program():
    """sshd, sudo, su and login let users in who approve on a device of another account in another process"""
    phones()
    with front(), phone_settings(), Sshd(*KEY_AND_PIN):
        console = ssh("dora", "echo", "$MPIN_IDENTITY", "$MPIN_METHOD", "$(id -un)")
        equal(console.types(phones().dora.approves(console.address)).ends(),
              ("dora-phone@example.org phone dora", 0))
        pairs = granted(console)
        equal([pairs[key] for key in ("label", "service", "source")],
              ["dora-phone@example.org", "sshd", "127.0.0.1"])
        console = sudo("dora")
        equal(console.types(phones().dora.approves(console.address)).ends(), ("root", 0))
        console = sudo("dora", "-p", "pproval code from your phone: ")
        equal(console.types(phones().dora.approves(console.address)).ends(), ("root", 0))
        console = PhoneLogin(*as_user("alice"), "su", "dora", "-c", "id -un")
        equal(console.types(phones().dora.approves(console.address)).ends(), ("dora", 0))
        console = PhoneLogin("login", "dora")
        console.types(phones().dora.approves(console.address))
        console.child.expect(r"\$ ")
        console.child.sendline("echo $MPIN_IDENTITY-$(id -un)-$MPIN_METHOD")
        console.child.expect("dora-phone@example.org-dora-phone")
        console.closes()


def test_by_number():
    """the access number on the screen is accepted with its blank and without"""
    with front(), phone_settings():
        for write in str, lambda number: f"{number[:3]} {number[3:]}":
            console = sudo("dora")
            equal(console.types(phones().dora.approves(write(console.number))).ends(), ("root", 0))


def test_code_or_pin():
    """users who have both may type either, the code also in small letters and with a hyphen"""
    with front(), phone_settings():
        console = sudo("erin")
        within(console.screen, "PIN or approval code from your phone: ")
        equal(console.types(phones().erin_pin).ends(), ("root", 0))
        granted(console, "pin")
        console = sudo("erin")
        code = phones().erin.approves(console.address)
        equal(console.types(f"{code[:3]}-{code[3:].lower()}").ends(), ("root", 0))
        granted(console)
