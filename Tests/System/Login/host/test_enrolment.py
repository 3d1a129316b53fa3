# SPDX-License-Identifier: Apache-2.0
# Enrolment: what the relay sees of it, and what a killed enrolment leaves.
import json
import os
import subprocess
import tempfile
import time

from house import CONF, HOST, PUBLIC, STORE, Login, run, settings, site
from standin import ANSWER, STANDIN, StandIn, fields
from support import equal, read, replaced, within

REGISTER, CLIENT_SECRET, JOIN = 32, 33, 34
CURVE = json.loads(read("Tests/Conformance/Vectors/bn254cx-constants.json"))
P, B = int(CURVE["p"], 16), CURVE["b"]


def is_point(octets):
    """Whether 65 octets are a point of G1."""
    x, y = int.from_bytes(octets[1:33], "big"), int.from_bytes(octets[33:], "big")
    return octets[0] == 4 and x < P and y < P and (y * y - x * x * x - B) % P == 0


def points(octets):
    return [at for at in range(len(octets) - 64) if is_point(octets[at:at + 65])]


def test_shares_are_sealed():
    """during an enrolment the relay sees no share of the client secret: the shares are sealed"""
    with StandIn() as standin:
        site().mpind.enrol("bob", "bob@example.org", site().bob, "--relay", STANDIN)
    answers = [answer for answer in standin.answers if answer[0] - ANSWER in (REGISTER, CLIENT_SECRET, JOIN)]
    secret, = [fields(answer)[1] for answer in answers if answer[0] == CLIENT_SECRET + ANSWER]
    equal([len(part) for part in secret], [2, 81, 81])
    for answer in answers:
        equal(points(answer), [])
    assert points(b"".join(standin.questions)), "the search does not find U, which is a point"


def pins_that_open(user, *pins):
    site().unlock()
    return [pin for pin in pins if Login("mpin", user, pin, None).code == "SUCCESS"]


def test_killed_enrolment():
    """an enrolment that is killed at any moment leaves the old PIN or the new one, never both or none"""
    old = site().bob
    for step in range(14):
        new = f"63{step:02}9"
        code = site().mpind.admin("user", "add", "bob@example.org")["activationCode"]
        descriptors = []
        for line in new, code:
            reading, writing = os.pipe()
            os.write(writing, f"{line}\n".encode())
            os.close(writing)
            descriptors.append(reading)
        command = ["mpin", "enroll", "bob", "--identity", "bob@example.org", "--backend", f"unix:{PUBLIC}",
                   "--pin-fd", str(descriptors[0]), "--code-fd", str(descriptors[1])]
        quiet = subprocess.DEVNULL
        enrolment = subprocess.Popen(command, pass_fds=descriptors, stdout=quiet, stderr=quiet)
        time.sleep(step * 0.03)
        enrolment.kill()
        enrolment.wait()
        for descriptor in descriptors:
            os.close(descriptor)
        opens = pins_that_open("bob", old, new)
        equal(len(opens), 1, f"killed after {step * 30} ms")
        old = opens[0]
    site().mpind.enrol("bob", "bob@example.org", site().bob)
    equal(Login("mpin", "bob", site().bob).code, "SUCCESS")
    names = [name for name in os.listdir(f"{STORE}/users") if not name.isdigit()]
    equal(sorted(names), [".lock", ".mpin-store"])


def test_one_token():
    """the store refuses a second token for one mpin-id"""
    uid = subprocess.run(["id", "-u", "bob"], capture_output=True, text=True).stdout.strip()
    with open(f"{STORE}/users/{uid}") as file:
        lines = file.read()
    head, _, section = lines.partition("\n[")
    twice = f"{head}\n[{section.rstrip()}\n\n[{section}"
    path = f"{STORE}/users/{uid}"
    try:
        with open(path, "w") as file:
            file.write(twice)
        with settings("unenrolled = ignore"):
            equal(Login("mpin-or-pass", "bob", site().bob).code, "SERVICE_ERR")
    finally:
        with open(path, "w") as file:
            file.write(lines)
    equal(Login("mpin", "bob", site().bob).code, "SUCCESS")


def test_code_of_another_host():
    """a join code that is for another host says so, and stays good for its own"""
    code = site().mpind.admin("host", "add", "web7")["joinCode"] + "\n"
    with tempfile.TemporaryDirectory() as folder:
        words = ["--backend", f"unix:{PUBLIC}", "--store", f"{folder}/store", "--json"]
        for name in "web8", HOST:
            told = json.loads(run("mpin", "host", "join", name, *words, status=1, fds={"--code-fd": code}))
            within(told["error"]["message"], "for another host", f"'{name}'")
        run("mpin", "host", "join", "web7", *words, fds={"--code-fd": code})
        told = json.loads(run("mpin", "host", "join", "web8", *words, status=1, fds={"--code-fd": code}))
        within(told["error"]["message"], "no such join code for 'web8'")
    site().mpind.admin("host", "remove", "web7")


def test_usual_identity():
    """an enrolment without --identity takes the name that setup gives: account@host"""
    code = site().mpind.admin("user", "add", f"bob@{HOST}")["activationCode"]
    told = json.loads(run("mpin", "enroll", "bob", "--backend", f"unix:{PUBLIC}", "--json",
                          fds={"--pin-fd": "739182\n", "--code-fd": code + "\n"}))
    equal(told["identity"]["label"], f"bob@{HOST}")
    site().mpind.enrol("bob", "bob@example.org", site().bob)


def test_rotated_key():
    """a host whose key was rotated because it had leaked says so to who binds a phone or enrols a PIN"""
    code = site().mpind.admin("host", "rotate", HOST, "--leaked")["joinCode"]
    try:
        with settings("phone-address = https://login.example.org/"):
            for words, fds in (["--bind", "--print"], {}), (["--here"], {"--pin-fd": "739182\n"}):
                told = json.loads(run("mpin", "enroll", "alice", *words, "--json", status=1, fds=fds))
                within(told["error"]["message"], "does not know this host's key",
                       f"mpind host rotate {HOST}", f"sudo mpin host join {HOST}")
    finally:
        with replaced(CONF, open(CONF).read()):
            run("mpin", "host", "join", HOST, fds={"--code-fd": code + "\n"})
    equal(Login("mpin", "alice", site().alice).code, "SUCCESS")
