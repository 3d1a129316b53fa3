# SPDX-License-Identifier: Apache-2.0
# `mpind user add` for many people at a time.
import json
import re
import signal
import subprocess

from house import ADMIN, PUBLIC, Login, run, site
from support import equal, eventually, within

HEAD = ["NAME", "ACTIVATION CODE", "GOOD ONCE, UNTIL"]


def add(*words, typed="", status=0):
    done = subprocess.run(["mpind", "user", "add", *words], input=typed, capture_output=True, text=True,
                          timeout=60)
    equal(done.returncode, status, done.stderr)
    return done


def names():
    return {user["userId"] for user in json.loads(run("mpind", "user", "list", "--json"))["users"]}


def test_many(tmp_path):
    """names of arguments, of a file and of standard input give a table of codes, one for each person"""
    try:
        table = add("m1@example.org", "m2@example.org", "m1@example.org").stdout.splitlines()
        rows = [re.split("  +", line) for line in table]
        equal((rows[0], [row[0] for row in rows[1:]]), (HEAD, ["m1@example.org", "m2@example.org"]))
        file = tmp_path / "names"
        file.write_bytes(b"m3@example.org\r\n\n  m4@example.org  \nm3@example.org")
        equal([row["userId"] for row in json.loads(add("--file", str(file), "--json").stdout)["added"]],
              ["m3@example.org", "m4@example.org"])
        told = json.loads(add("--file", "-", "--json", typed="m5@example.org\n").stdout)["added"]
        equal([sorted(row) for row in told], [["activationCode", "expires", "userId"]])
        run("mpin", "enroll", "bob", "--identity", "m5@example.org", "--backend", f"unix:{PUBLIC}",
            fds={"--pin-fd": site().bob + "\n", "--code-fd": told[0]["activationCode"] + "\n"})
        equal(Login("mpin", "bob", site().bob).code, "SUCCESS")
    finally:
        for number in range(1, 6):
            run("mpind", "user", "remove", f"m{number}@example.org", status=None)
        site().mpind.enrol("bob", "bob@example.org", site().bob)


def test_bad_names(tmp_path):
    """if one name of many is bad, its line is named and nobody is added"""
    before, file = names(), tmp_path / "names"
    for bad in b"a\x1b[2Jb", b"\xff", b"x" * 65:
        file.write_bytes(b"good@example.org\n" + bad + b"\nalso@example.org\n")
        said = add("--file", str(file), "--json", status=2)
        equal(json.loads(said.stdout)["error"]["kind"], "settings")
        within(said.stderr, f"{file}, line 2: a name has 1 to 64 octets of readable text.",
               "Nobody was added")
    within(add("good@example.org", "", status=2).stderr, "Nobody was added")
    within(add("--file", str(tmp_path / "none"), status=2).stderr, "No such file or directory")
    within(add("--file", "-", typed="\n\n", status=2).stderr, "There is no name")
    add("a@example.org", "b@example.org", "--qr", status=64)
    equal(names(), before)


def test_killed_server():
    """if the server is killed meanwhile, the codes that it gave are shown, and who has none is named"""
    many = [f"k{number:05}@example.org" for number in range(20_000)]
    adding = subprocess.Popen(["mpind", "user", "add", "--file", "-", "--json"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    adding.stdin.write("\n".join(many))
    adding.stdin.close()
    adding.stdin = None
    try:
        eventually(lambda: many[0] in run("mpind", "user", "list", "--user", many[0]), "the first person")
        site().mpind.stop(signal.SIGKILL)
        said, why = adding.communicate(timeout=60)
    finally:
        site().mpind.start()
    told = json.loads(said)
    got = [row["userId"] for row in told["added"]]
    equal(told["error"]["kind"], "unreachable")
    assert 0 < len(got) < len(many) and got == many[:len(got)], (len(got), got[:3])
    equal(adding.returncode, 3)
    within(why, f"mpind: {len(got)} of 20000 were added; {many[len(got)]} and those after that were not.")
    # What was reported has outlived the server.
    assert set(got) <= names()
    # By one process, because there may be hundreds.
    requests = [f'url = "http://localhost/v1/users/remove"\nunix-socket = "{ADMIN}"\n'
                f'data = "{{\\"userId\\":\\"{name}\\"}}"\n' for name in names() & set(many)]
    run("curl", "--silent", "--config", "-", input="next\n".join(requests))
    equal(names() & set(many), set())
