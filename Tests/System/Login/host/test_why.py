# SPDX-License-Identifier: Apache-2.0
# `mpin why` compared with the login that it explains: users, services and sources, through the real store.
import json

from doctor import METHODS, SSHD, SSHD_CONF, once
from house import CONF, PUBLIC, REMOTE, Login, run, stack
from support import LOG, equal, replaced, within
from test_policy import WRONG, carol

DEVICE = "0a" * 32
SETTINGS = f"""backend = unix:{PUBLIC}
method = pin phone
[sudo]
method = phone
[sshd]
remote-pin = long
"""
# Why PIN and second device are unavailable, and what is asked for; None: the method is open.
TABLE = [
    ("sudo", "alice", "method", "no-phone-here", []),
    ("sudo", "bob", "method", None, ["phone"]),
    ("sudo", "carol", "method", "no-file", []),
    ("su", "alice", None, "no-phone-here", ["pin"]),
    ("su", "bob", None, None, ["phone", "pin"]),
    ("su", "carol", "no-file", "no-file", []),
    ("su", "nobody-has-it", "no-such-account", "no-such-account", []),
    ("sshd", "alice", None, "no-phone-here", ["phone", "pin"]),
    ("sshd", "bob", "no-remote-pin", None, ["phone", "pin"]),
    ("sshd", "carol", "no-file", "no-file", ["phone", "pin"]),
    ("sshd", "root", "never", "never", ["phone", "pin"]),
    ("sshd", "nobody-has-it", "no-such-account", "no-such-account", ["phone", "pin"]),
]


def check(service, user, pin, phone, asked):
    items = REMOTE if service == "sshd" else {}
    is_open = pin is None or phone is None
    source = ["--rhost", *items.values()] if items else []
    told = json.loads(run("mpin", "why", user, "--service", service, *source, "--json",
                          status=0 if is_open else 1))
    equal((told["pin"].get("reason"), told["phone"].get("reason"), told["asked"]), (pin, phone, asked),
          f"{user} in {service}")
    if is_open:
        return
    mark = LOG.mark()
    login = Login(service, user, *[WRONG] * 3, items=items)
    equal((login.code, login.prompts != []), ("AUTH_ERR" if items else "USER_UNKNOWN", asked != []))
    # An earlier login may still write its log line.
    equal(LOG.record(mark, "not-enrolled")[1]["reason"], phone, f"the log about {user} in {service}")


def test_why():
    """`mpin why` names the open methods, and for the others the reason that the log of the login has"""
    carol()
    run("mpin", "allow", "bob", DEVICE, "--way", "phone", "--label", "Pixel")
    try:
        # Tests of the doctor may have left settings of sshd that demand a key.
        with replaced(SSHD_CONF, ""), replaced(CONF, SETTINGS):
            for row in TABLE:
                check(*row)
    finally:
        run("mpin", "remove", "bob", "--identity", DEVICE)


def test_why_by_the_stack():
    """`mpin why` reads the service's stack: the module's arguments, and whether the stack uses it at all"""
    before = open("/etc/pam.d/su").read()
    try:
        for lines, told, reason in (
            (["auth required pam_mpin.so users=bob"], "asks", "users"),
            (["auth required pam_mpin.so"], "asks", None),
            (["auth required pam_unix.so"], "does-not-ask", None),
            (["auth perhaps pam_mpin.so"], "unread", None),
        ):
            stack("su", *lines)
            said = json.loads(run("mpin", "why", "alice", "--service", "su", "--json", status=None))
            equal((said["stack"], said["pin"].get("reason")), (told, reason), lines)
        said = run("mpin", "why", "alice", "--service", "su", "--argument", "users=alice")
        within(said, "libpam knows no control")
    finally:
        open("/etc/pam.d/su", "w").write(before)


def test_why_of_sshd():
    """`mpin why` assumes the key that sshd demands and says so, and none where sshd asks M-Pin without one"""
    once()
    alone = "Match User alice\n    AuthenticationMethods publickey\n"
    either = "AuthenticationMethods publickey,keyboard-interactive:pam keyboard-interactive:pam\n"
    for user, settings, key, reason, words in (
        ("alice", SSHD, "assumed", None, "assumed, because sshd demands one before it asks M-Pin"),
        ("alice", SSHD.replace(METHODS, ""), None, "remote-pin", "requires a public key first"),
        ("alice", SSHD.replace(METHODS, either), None, "remote-pin", "requires a public key first"),
        ("alice", alone + "Match all\n" + SSHD.replace("Match", "#"), "enough", None, "M-Pin is not asked"),
        ("root", SSHD, "enough", "never", "M-Pin is not asked"),
        ("bob", SSHD, "assumed", None, "assumed, because"),
    ):
        with replaced(SSHD_CONF, settings):
            why = "mpin", "why", user, "--service", "sshd"
            told = json.loads(run(*why, "--json", status=1 if key is None else 0))
            equal((told.get("key"), told["pin"].get("reason")), (key, reason), f"{user}: {settings}")
            within(run(*why, status=None), words)
    with replaced(SSHD_CONF, f"Match Address 192.0.2.0/24\n    {METHODS}\n"):
        far = json.loads(run("mpin", "why", "alice", "--service", "sshd", "--rhost", "192.0.2.7", "--json"))
        equal((far["key"], far["pin"]["open"]), ("assumed", True))
