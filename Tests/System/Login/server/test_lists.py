# SPDX-License-Identifier: Apache-2.0
# What `mpind user list` shows of real logins: the last one, a lock with its end, and waiting registrations.
import contextlib
import json
import re
import time

from house import MPIND_CONF, PUBLIC, Login, run, site
from support import equal, eventually, replaced, seconds, within

HEAD = ["NAME", "ID", "STATE", "WHERE", "LAST LOGIN", "WRONG PINS"]
WRONG = "Kestrel-0000"


def listed(*words):
    """The rows of the table by name, each as a dictionary by column; and the lines below the table."""
    lines = run("mpind", "user", "list", *words).splitlines()
    rows = [re.split("  +", line) for line in lines]
    if rows[0] != HEAD:
        return {}, lines
    count = next((index for index, row in enumerate(rows) if len(row) != len(HEAD)), len(rows))
    return {row[0]: dict(zip(HEAD, row)) for row in rows[1:count]}, lines[count:]


def written(moment):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment))


def test_last_login_and_lock():
    """the list shows the last login of a user, and until when three wrong PINs have locked an account"""
    began = time.time()
    equal(Login("mpin", "alice", site().alice).code, "SUCCESS")
    # Ends the count of wrong PINs in other files.
    equal(Login("mpin", "bob", site().bob).code, "SUCCESS")
    assert Login("mpin", "bob", *(WRONG + digit for digit in "123")).code != "SUCCESS"
    try:
        rows, _ = listed()
        alice, bob = rows["alice@example.org"], rows["bob@example.org"]
        equal((alice["STATE"], alice["WHERE"], alice["WRONG PINS"]), ("active", "on sandbox", "0"))
        assert began - 1 <= seconds(alice["LAST LOGIN"]) <= time.time(), alice
        end = re.fullmatch(r"locked until (\S+)", bob["STATE"])
        assert end and began + 58 <= seconds(end[1]) <= time.time() + 61, bob
        equal(bob["WRONG PINS"], "3")
        # Other accounts may still be locked by earlier tests.
        equal(set(listed("--state", "locked")[0]) & {"alice@example.org", "bob@example.org"},
              {"bob@example.org"})
        details = json.loads(run("mpind", "user", "show", "bob@example.org", "--json"))
        within(json.dumps(details), f'"id": "{bob["ID"]}')
    finally:
        site().mpind.unlock("bob@example.org")
    equal(listed()[0]["bob@example.org"]["STATE"], "active")
    # The notice of the wrong PINs goes with this login, not with one of another file.
    equal(Login("mpin", "bob", site().bob).code, "SUCCESS")


def test_since():
    """'--since' selects users who have logged in or registered since then, and none for a time in the
    future"""
    # Wait for the next second, so that earlier logins are not selected.
    began = int(time.time()) + 1
    eventually(lambda: time.time() >= began, "the next second")
    equal(Login("mpin", "alice", site().alice).code, "SUCCESS")
    equal(set(listed("--since", written(began))[0]), {"alice@example.org"})
    within(set(listed("--since", "1d")[0]), "alice@example.org", "bob@example.org")
    equal(listed("--since", written(time.time() + 3600)), ({}, ["No user fits this."]))
    run("mpind", "user", "list", "--since", "yesterday or so", status=64)


def test_who_waits():
    """a waiting registration has a row with its device, and the list says how to confirm it"""
    mpind, conf = site().mpind, open(MPIND_CONF).read()
    asked = {"userId": "walter@example.org", "mobile": 0, "deviceName": "old phone", "userData": ""}
    with contextlib.ExitStack() as after:
        after.callback(mpind.start)
        after.enter_context(replaced(MPIND_CONF, conf + "\nregistration = confirm\n"))
        mpind.stop()
        mpind.start()
        after.callback(mpind.stop)
        answer = run("curl", "-sS", "--unix-socket", PUBLIC, "-X", "PUT", "-H",
                     "Content-Type: application/json", "-d", json.dumps(asked),
                     "http://localhost/rps/user")
        within(answer, "mpinId")
        rows, below = listed()
        row = rows["walter@example.org"]
        equal([row[name] for name in HEAD[2:]], ["waiting for confirmation", "old phone", "never", "0"])
        equal(below, ["`mpind user confirm NAME --id ID` confirms a registration that waits."])
        equal(set(listed("--state", "waiting")[0]) & {"walter@example.org", "alice@example.org"},
              {"walter@example.org"})
        run("mpind", "user", "confirm", "walter@example.org", "--id", row["ID"])
        rows, below = listed()
        waiting = {name for name, row in rows.items() if row["STATE"] == "waiting for confirmation"}
        assert "walter@example.org" not in waiting, rows
        # Registrations of earlier tests may still wait.
        equal(bool(below), bool(waiting))
        run("mpind", "user", "revoke", "walter@example.org", status=None)
