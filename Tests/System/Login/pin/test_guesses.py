# SPDX-License-Identifier: Apache-2.0
# A thousand wrong PINs for one identity from a thousand addresses (a tenth of that without MPIN_FUZZ): how
# many are verified, that the owner can log in meanwhile, and the notice that they see. Also strangers who use
# up the look-ups by number.
import contextlib
import itertools
import json
import os
import re
import secrets
import sqlite3
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from console import Console
from crowds import TCP6, listening, restart
from device import PIN, another_device
from house import HERE, MPIND_CONF, PUBLIC, Login, as_user, run, settings, site
from support import LONG, absent, equal, eventually, replaced, within
from test_sshd import KEY, KEY_AND_PIN, Sshd, key_for, ssh

COUNT = 1000 if LONG else 100
# Logins by sshd at a time; a guesser makes 64 at a time.
AT_A_TIME = 32
# From its third wrong PIN in a row a device is locked for 1, 2, 4 minutes; after each lock one PIN is
# verified.
LOCKS_END = 60, 60 + 120, 60 + 120 + 240
# Counters, as the database numbers them.
DEVICE, STRANGE_NETWORK = 0, 3
WRONG_STATUS, LOCKED_STATUS = 401, 403


def addresses():
    """One address for each guess: in one /56, each with another /64; in one /48, each with another /56; and
    each in a different /48."""
    kinds = [lambda number: f"2001:db8:1:{number:x}::7", lambda number: f"2001:db8:2:{number:x}00::7",
             lambda number: f"2001:db8:{number + 0x100:x}::7"]
    return [kinds[number % 3 if number < 768 else 2](number // 3 if number < 768 else number)
            for number in range(COUNT)]


def query(sql, *values):
    with contextlib.closing(sqlite3.connect("file:/var/lib/mpind/mpind.db?mode=ro", uri=True)) as database:
        return database.execute(sql, values).fetchall()


def tries(id):
    """The tries that count against an identity, by counter."""
    return dict(query("SELECT counter, COUNT(*) FROM tries WHERE id = ? AND returned_at IS NULL "
                      "GROUP BY counter", bytes.fromhex(id)))


def row(id):
    """The wrong tries in a row counted for a device, and the number for the notice at its owner's next
    login."""
    heads = query("SELECT COALESCE(SUM(failures), 0) FROM heads WHERE id = ?", bytes.fromhex(id))
    return heads[0][0], query("SELECT wrong_count FROM identities WHERE id = ?", bytes.fromhex(id))[0][0]


def logins(identity):
    """The logins that `mpind audit --user` shows: the source and the fields of each."""
    told = run("mpind", "audit", "--user", identity, "--since", "1h", "--json")
    records = [json.loads(line) for line in told.splitlines()]
    return [{"source": record["source"], **{field["name"]: field["value"] for field in record["fields"]}}
            for record in records if record["kind"] == "login"]


def refused(identity):
    return [login for login in logins(identity) if login["verdict"] != "granted"]


class Thief:
    """A thief with a copy of a device's token, who tries PINs with the second client."""

    program = ["/usr/bin/python3", "-B", os.path.join(HERE, "network", "guesser.py")]

    def __init__(self, phone):
        uid = run("id", "-u", phone.user).strip()
        with open(f"{phone.tokens}/users/{uid}") as file:
            self.stolen = dict(line.rstrip("\n").split(" = ", 1) for line in file if " = " in line)
        self.key = self.stolen.pop("device-key")

    def task(self, guesses):
        task = {"address": TCP6, "stolen": self.stolen, "pin": PIN, "guesses": guesses}
        return json.dumps(task) + "\n"

    def guess(self, guesses):
        """Makes each of these guesses once: the status and `triesLeft` of each."""
        done = subprocess.run(self.program, input=self.task(guesses), text=True, capture_output=True,
                              timeout=300)
        equal(done.returncode, 0, done.stderr)
        return json.loads(done.stdout.splitlines()[-1])

    @contextlib.contextmanager
    def guessing(self, guesses):
        """Repeats these guesses while the block runs, each at least once; the list gets the answers at the
        end."""
        process = subprocess.Popen(self.program, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        answers = []
        try:
            process.stdin.write(self.task(guesses))
            process.stdin.flush()
            equal(process.stdout.readline(), "here\n")
            yield answers
            assert process.poll() is None, "the guesses ended before the block"
            answers += json.loads(process.communicate(timeout=300)[0])
        finally:
            process.kill()
            process.wait()


@contextlib.contextmanager
def robbed(name):
    """A device whose token is stolen. The thief's client can log in with the right PIN, so later refusals do
    not come from a faulty proof."""
    with listening():
        phone = another_device(identity=f"{name}@phone.example.org")
        thief = Thief(phone)
        equal(thief.guess([(addresses()[0], 0, thief.key)])[0][0], 200)
        equal((tries(phone.id), row(phone.id)), ({}, (0, 0)))
        yield phone, thief


def approve(phone):
    """The owner approves a login with the right PIN: what the command prints."""
    console = Console([phone.id])
    told = run(*as_user(phone.user), "mpin", "approve", console.number, fds={"--pin-fd": PIN + "\n"})
    within(told, f"Type this approval code at the console: {console.approval_code}")
    equal(console.verdict()[1:], (0, phone.id))
    return told


def notice(screen):
    """The number of wrong PINs, and the source of the last one, from the notice on this screen."""
    told = re.search(r"(\d+) wrong PINs? since your last login,(?: the last)? on \d+ \w+ \d\d:\d\d "
                     r"from (\S+)\.", screen)
    assert told, screen
    return int(told[1]), told[2]


def test_stolen_token_and_device_key():
    """of guesses with a stolen token and device key from many addresses three are verified; then even the
    right PIN is refused, and the owner gets a notice"""
    with robbed("hanna") as (phone, thief):
        identity, begin = "hanna@phone.example.org", time.monotonic()
        guesses = [(address, number + 1, thief.key) for number, address in enumerate(addresses())]
        answers = thief.guess(guesses)
        equal(len(answers), COUNT)
        [right, _] = thief.guess([("2001:db8:ffff::7", 0, thief.key)])[0]
        took = time.monotonic() - begin
        looked = 3 + sum(took > end for end in LOCKS_END)
        equal(right, LOCKED_STATUS, f"the right PIN after {took:.1f} s")
        equal({status for status, _ in answers} - {WRONG_STATUS, LOCKED_STATUS}, set())
        counted = tries(phone.id).get(DEVICE, 0)
        assert 3 <= counted <= looked, f"{counted} tries in {took:.1f} s"
        equal((tries(phone.id), row(phone.id)), ({DEVICE: counted}, (counted, counted)))
        # The audit trail has no record of guesses that a lock refused, only of those that were verified.
        found = refused(identity)
        equal([login["verdict"] in ("wrong", "locked") for login in found], [True] * counted, found)
        site().mpind.unlock(identity)
        count, source = notice(approve(phone))
        equal(count, counted)
        assert source in {login["source"] for login in found}, (source, found)
        print(f"     {len(answers)} guesses in {took:.1f} s, {counted} counted", flush=True)


def test_stolen_token_without_device_key():
    """guesses from many addresses without the device key all get the status of a wrong PIN, and none is
    counted: the owner can approve logins meanwhile"""
    with robbed("ivy") as (phone, thief):
        others = [None, secrets.token_hex(32), Thief(another_device(identity="jo@phone.example.org")).key]
        # Every tenth guess is the right PIN.
        guesses = [(address, number % 10, others[number % 3]) for number, address in enumerate(addresses())]
        before, begin = logins("ivy@phone.example.org"), time.monotonic()
        with thief.guessing(guesses) as answers:
            told = [approve(phone) for _ in range(3)]
        told.append(approve(phone))
        took = time.monotonic() - begin
        assert len(answers) >= COUNT, answers
        equal({tuple(answer) for answer in answers}, {(WRONG_STATUS, None)})
        equal((tries(phone.id), row(phone.id)), ({}, (0, 0)))
        for text in told:
            absent(text, "wrong PIN", "Only ")
        # The audit trail has only the owner's logins: a flood of guesses does not displace them.
        new = logins("ivy@phone.example.org")[len(before):]
        equal([login["verdict"] for login in new], ["granted"] * 4)
        equal(thief.guess([("2001:db8:ffff::7", 0, thief.key)])[0][0], 200)
        print(f"     {len(answers)} guesses in {took:.1f} s, none counted", flush=True)


def from_afar(user, pin, address):
    """One login by sshd from this address: its result code."""
    return Login("sshd", user, pin, items={"3": "ssh", "4": address}, timeout=300)


def owner(pin):
    """The owner logs in by ssh from a known source: the number of wrong PINs in the notice."""
    # sshd shows a module's text after the answer only if a shell follows.
    screen, status = ssh("kim", pin, options=[*KEY, "-tt"], command=())
    equal(status, 0, screen)
    within(screen, "kim\n")
    return notice(screen)[0] if "wrong PIN" in screen else 0


def test_pin_of_a_host():
    """of wrong PINs from many addresses at a host ten in a day are verified; the owner can log in from a
    known source throughout, gets notices, and logs in from a new address that their phone has approved"""
    pin, identity = "Nightjar-5520", "kim@example.org"
    run("useradd", "--create-home", "--shell", "/usr/bin/whoami", "kim")
    site().mpind.enrol("kim", identity, pin, "--remote")
    id = query("SELECT id FROM identities WHERE user_id = ?", identity)[0][0].hex()
    with settings("tries = 1\nremote-pin = long"), Sshd(*KEY_AND_PIN):
        key_for("kim")
        counts, begin = [owner(pin)], time.monotonic()
        strangers = [f"198.18.{number >> 8}.{number & 255}" if number % 2 else address
                     for number, address in enumerate(addresses())]
        over = threading.Event()

        def guess(source):
            """Tries wrong PINs from some of these addresses: each once, and then again until the owner is
            done."""
            for number in itertools.count(source, AT_A_TIME):
                if number >= COUNT and over.is_set():
                    return
                address = strangers[number % COUNT]
                equal(from_afar("kim", f"Nightjar-{number}", address).code, "AUTH_ERR", address)
                made.append(address)

        made = []
        with ThreadPoolExecutor(AT_A_TIME + 3) as pool:
            guesses = [pool.submit(guess, source) for source in range(AT_A_TIME)]
            by_ssh = [pool.submit(ssh, "kim", "Nightjar-0", options=[*KEY, "-b", f"127.0.7.{number}"])
                      for number in range(1, 4)]
            try:
                for part in 3, 2:
                    eventually(lambda: len(made) > COUNT // part, "some of the wrong PINs", 300)
                    counts.append(owner(pin))
            finally:
                over.set()
            for done in guesses:
                done.result()
            equal([login.result()[1] for login in by_ssh], [255] * 3)
        equal(from_afar("kim", pin, "203.0.113.77").code, "AUTH_ERR", "the right PIN from a strange address")
        counts.append(owner(pin))
        took = time.monotonic() - begin
        equal(owner(pin), 0)
        # The owner's phone lets them in from there, and makes the address known to the PIN.
        phone = another_device(identity=identity)
        console = Console([phone.id], account="kim", source="203.0.113.77")
        phone.approve(console.number)
        equal(from_afar("kim", pin, "203.0.113.77").code, "AUTH_ERR", "before the host has the verdict")
        equal(console.verdict()[1:], (0, phone.id))
        equal(from_afar("kim", pin, "203.0.113.77").code, "SUCCESS", "the address that the phone approved")
        equal(from_afar("kim", pin, "203.0.113.78").code, "AUTH_ERR", "another address")
    print(f"     {len(made) + 3} wrong PINs in {took:.1f} s, {counts} told at the owner's logins", flush=True)
    equal((tries(id), sum(counts)), ({STRANGE_NETWORK: 10}, 10))
    found = refused(identity)
    equal((len(found), len({login["source"] for login in found})), (10, 10), found)
    equal(sum(int(login.get("wrong-before", 0)) for login in logins(identity)), 10)


def test_look_ups_of_strangers():
    """strangers who use up an account's look-ups by number do not keep its devices from approving by
    number"""
    phone = another_device()
    console = Console([phone.id])
    ask = [*as_user(phone.user), "curl", "-s", "--unix-socket", PUBLIC, "http://localhost/rps/codeStatus",
           "-H", "Content-Type: application/json", "-d"]
    answers = [run(*ask, json.dumps({"status": "wid", "wid": console.number})) for _ in range(12)]
    equal(["seen" in answer for answer in answers], [True] * 10 + [False] * 2)
    equal(phone.mpin("session", console.number)["account"], "alice")
    done = phone.approve(console.number)
    equal(f"{done['code'][:3]}-{done['code'][3:]}", console.approval_code)


def test_registrations_that_wait():
    """the eleventh registration that would wait for one account is refused, with the time to try again"""
    run("useradd", "--create-home", "waiter")
    enrol = [*as_user("waiter"), "mpin", "enroll", "--personal", "--backend", f"unix:{PUBLIC}", "--json"]

    def told(number):
        fds = {"--pin-fd": PIN + "\n", "--code-fd": "\n"}
        return json.loads(run(*enrol, "--identity", f"waiter{number}", fds=fds, status=1))["error"]["message"]

    with open(MPIND_CONF) as conf:
        before = conf.read()
    try:
        with replaced(MPIND_CONF, before + "registration = confirm\n"):
            restart()
            for number in range(11):
                said = told(number)
                within(said, f"'sudo mpind user confirm waiter{number} --id ID' on this host",
                       "until this registration is confirmed" if number < 10 else
                       "from this machine wait for confirmation. Try again in 60 minutes.")
    finally:
        restart()
