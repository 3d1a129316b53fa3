# SPDX-License-Identifier: Apache-2.0
# `mpind audit` at a running server: who did what, from where and when, for an administrator.
import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import time

from console import Console, call
from crowd import IP_FREEBIND
from crowds import listening, start
from device import another_device
from house import HOST, PUBLIC, as_user, run, settings, site
from notices import WRONG, asks_from, local, seen, wrong_otp, wrong_su
from proxy import Proxy
from support import LOG, equal, eventually, seal, seconds, within
from test_faults import PROXY
from trail import Follows, audit, lines, newest, parts, since


def wrong_code(user, identity):
    """A new account tries to enrol with an unknown code; the first such try in an hour is recorded."""
    run("useradd", "--create-home", user)
    run(*as_user(user), "mpin", "enroll", "--personal", "--identity", identity, "--backend", f"unix:{PUBLIC}",
        status=1, fds={"--pin-fd": "Osprey-27\n", "--code-fd": "BCDF-GHJK-LMNP-QRST\n"})


def test_everything_is_recorded():
    """logins, wrong PINs, wrong codes and administrators' acts are recorded with who, what, where and when"""
    seen()
    before, began, mpind = newest(), int(time.time()), site().mpind
    mark = LOG.mark()
    wrong_su(WRONG)
    attempts = [LOG.record(mark, "su:auth")[1]["attempt"]]
    seen()
    attempts.append(LOG.record(mark, "granted")[1]["attempt"])
    mpind.admin("user", "add", "wanda@example.org")
    wrong_code("guesser", "wanda@example.org")
    mpind.admin("user", "revoke", "wanda@example.org")
    mpind.unlock("alice@example.org")
    phone = another_device()
    console = Console([phone.id])
    phone.approve(console.number)
    console.verdict()
    wrong_otp(phone)
    told = since(before)
    alice, bob, owner = local("alice"), local("bob"), local(phone.user)
    equal([parts(record, "user", "verdict", "source", "attempt") for record in told[:2]],
          [("login", "alice@example.org", "wrong", f"{HOST}/{bob}", attempts[0]),
           ("login", "alice@example.org", "granted", f"{HOST}/{alice}", attempts[1])])
    equal([told[1][name] for name in ("wrong-before", "last-wrong-from")], ["1", f"{HOST}/{bob}"])
    equal([parts(record, "subject", "source", "uid", "code") for record in told[2:7]],
          [("user.add", "wanda@example.org", "local:0", "0", None),
           ("code.wrong", "wanda@example.org", local("guesser"), None, "activation"),
           ("user.revoke", "wanda@example.org", "local:0", "0", None),
           ("user.unlock", "alice@example.org", "local:0", "0", None),
           ("user.add", "alice@phone.example.org", "local:0", "0", None)])
    equal([parts(record, "subject", "source", "host", "verdict", "way") for record in told[7:]],
          [("registration", phone.id[:8], owner, "", None, None),
           ("login", phone.id[:8], owner, "", "granted", "pin"),
           ("session.approve", phone.id[:8], f"{HOST}/203.0.113.9", HOST, "granted", None),
           ("login", phone.id[:8], f"{HOST}/203.0.113.9", HOST, "granted", "phone"),
           ("login", phone.id[:8], owner, "", "wrong", "pin")])
    assert all(began <= seconds(record["at"]) <= time.time() for record in told), told
    # The output for people has the same records in the same order.
    for record, (when, kind, subject, pairs) in zip(told, lines("--last", str(len(told))), strict=True):
        equal((when, kind, subject), (record["at"], record["kind"], record["subject"]))
        named = {field["name"]: field["value"] for field in record["fields"]}
        named.update({name: record[name] for name in ("host", "source", "attempt") if record[name]})
        equal(pairs, named)


def test_chosen_records():
    """--user, --since and --last select records, and an invalid --since is a usage error"""
    seen()
    mpind = site().mpind
    mpind.admin("user", "add", "viktor@example.org")
    told = audit("--user", "viktor@example.org")
    equal([record["subject"] for record in told], ["viktor@example.org"])
    wrong_su(WRONG)
    mpind.unlock("alice@example.org")
    seen()
    told = audit("--user", "alice@example.org", "--last", "100000")
    equal({record["kind"] for record in told} >= {"user.add", "registration", "login", "user.unlock"}, True)
    for record in told:
        assert "alice@example.org" in [record["subject"], *(field["value"] for field in record["fields"])]
    equal(audit("--user", "alice@example.org", "--last", "2"), told[-2:])
    equal(run("mpind", "audit", "--user", "nobody"), "")
    # From the clock's next second on: older records are not selected.
    start = int(time.time()) + 1
    eventually(lambda: time.time() >= start, "the next second")
    mpind.admin("user", "add", "vera@example.org")
    utc = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(start))
    for moment in utc, utc.replace("Z", "+00:00"):
        equal([record["kind"] for record in audit("--since", moment)], ["user.add"], moment)
    everything, midnight = audit("--last", "100000"), start - start % 86_400
    for moment, at in ((utc[:10], midnight), ("2h", start - 7200), ("7d", 0), ("90m", start - 5400)):
        wanted = [record for record in everything if seconds(record["at"]) >= at]
        equal(audit("--since", moment), wanted, moment)
    equal(audit("--since", time.strftime("%Y-%m-%d", time.gmtime(start + 86_400))), [])
    for moment in "gestern", "12", "h", "-1h", "1.5h", "99999999d", "2026-13-45", "21 Nov":
        done = subprocess.run(["mpind", "audit", f"--since={moment}"], capture_output=True, text=True)
        equal((done.returncode, done.stdout), (64, ""), moment)
        within(done.stderr, f"--since {moment}: say a day (2026-11-21), a time (2026-11-21T14:02:00Z) or an ")
    for last in "0", "-1", "many":
        equal(subprocess.run(["mpind", "audit", f"--last={last}"], capture_output=True).returncode, 64, last)


def test_followed():
    """--follow shows new records within seconds, once and in order, and ends at a signal without a message"""
    person, mpind = "ulla@example.org", site().mpind
    mpind.admin("user", "add", person)
    both = [Follows("--user", person), Follows("--user", person, "--json")]
    for follower in both:
        follower.shows(1)
    mpind.admin("user", "add", "una@example.org")
    wrong_code("prober", person)
    mpind.admin("user", "revoke", person)
    for follower in both:
        follower.shows(3)
    # A record that was shown twice would be there before the next one.
    mpind.admin("user", "add", person)
    for follower in both:
        follower.shows(4)
    kinds = ["user.add", "code.wrong", "user.revoke", "user.add"]
    equal([line.split()[1] for line in both[0].lines], kinds)
    equal([json.loads(line)["kind"] for line in both[1].lines], kinds)
    for follower, number in zip(both, (signal.SIGINT, signal.SIGTERM)):
        follower.process.send_signal(number)
        equal(follower.ends(), (-number, ""))


def test_nobody_reads():
    """--follow ends when its output is closed"""
    reading, writing = os.pipe()
    process = subprocess.Popen(["mpind", "audit", "--follow", "--last", "1"], stdout=writing,
                               stderr=subprocess.PIPE, text=True)
    os.close(writing)
    assert os.read(reading, 65536)
    os.close(reading)
    site().mpind.admin("user", "add", "una@example.org")
    process.wait(60)
    equal((process.returncode, process.stderr.read()), (-signal.SIGPIPE, ""))


def test_server_is_not_running():
    """without a running server audit says so and exits with 3, and so does --follow when the server stops"""
    follower = Follows("--last", "1").shows(1)
    site().mpind.stop()
    try:
        sentence = "mpind: There is no answer at /run/mpind/admin.sock. Is `mpind serve` running"
        for options in [], ["--follow"], ["--json"], ["--since", "1h"]:
            done = subprocess.run(["mpind", "audit", *options], capture_output=True, text=True, timeout=60)
            equal(done.returncode, 3, options)
            told = json.loads(done.stdout)["error"]["kind"] if "--json" in options else done.stdout
            equal(told, "unreachable" if "--json" in options else "", options)
            within(done.stderr, sentence)
        status, said = follower.ends()
        equal(status, 3)
        within(said, sentence)
    finally:
        start()


def garbage(proof, count):
    """Makes this many proofs without the device key and redeems each: what strangers can do in a loop."""
    first, second = ({name: value for name, value in body.items() if name != "deviceTag"} for body in proof)
    for number in range(count):
        status, answer = call("/rps/pass1", first)
        status, answer = call("/rps/pass2", {**second, "n": answer["n"]})
        equal(status, 200, answer)
        path = "/mpinAuthenticate" if number % 2 else "/rps/authenticate"
        status, answer = call(path, {"mpinResponse": {"authOTT": answer["authOTT"]}})
        assert status in (401, 412), (path, status, answer)


JOINS = json.dumps({"host": HOST, "joinId": "00" * 16}).encode()
REQUEST = (b"POST /rps/host HTTP/1.1\r\nHost: 127.0.0.1:8018\r\nContent-Type: application/json\r\n"
           b"Content-Length: %d\r\nConnection: close\r\n\r\n%s" % (len(JOINS), JOINS))


def wrong_join(number):
    """A wrong join code from the address of this number, each in its own network; 40 networks in one /48."""
    with socket.socket(socket.AF_INET6) as stream:
        stream.setsockopt(socket.IPPROTO_IP, IP_FREEBIND, 1)
        stream.bind((f"2001:db8:{number // 40:x}:{number:x}::1", 0))
        stream.connect(("::1", 8018))
        stream.sendall(REQUEST)
        within(stream.recv(65536).decode(), " 403 ", "No such join code")


def test_floods_of_strangers():
    """3,000 tries by strangers remove no login from the trail, and do not make it grow without limit"""
    with Proxy(PROXY, PUBLIC) as proxy:
        phone = another_device(backend=f"unix:{PROXY}")
    proof = [json.loads(proxy.bodies[path][-1]) for path in ("/rps/pass1", "/rps/pass2")]
    seen()
    before = audit("--last", "100000")
    garbage(proof, 500)
    equal(audit("--last", "100000"), before, "a try without the device key was recorded")
    others = [record for record in before if record["kind"] != "code.wrong"]
    with listening():
        for number in range(3000):
            wrong_join(number)
        seen()
    # The server deletes old records when it starts, in steps beside its work, and then every half minute.
    eventually(lambda: sum(record["kind"] == "code.wrong" for record in audit("--last", "100000")) == 1000,
               "the end of the purge", 300)
    told = audit("--last", "100000")
    kept = [record for record in told if record["kind"] != "code.wrong"]
    equal(kept[:-1], others)
    equal((kept[-1]["kind"], kept[-1]["host"]), ("login", HOST))
    equal(len(told) - len(kept), 1000)
    equal(len({record["source"] for record in told if record["kind"] == "code.wrong"}), 1000)


def test_hostile_records():
    """text that others chose is shown on one plain line for each record, in JSON too"""
    hostile = "local:\x1b[2J\x1b]0;x\x07\r\n\u202egro\u009b2J\" kind=\"user.add"
    with Proxy(PROXY, PUBLIC) as proxy, settings(backend=f"unix:{PROXY}"):
        seen()
    first, second = (json.loads(proxy.bodies[path][-1]) for path in ("/rps/pass1", "/rps/pass2"))
    before = newest()
    asked = asks_from(hostile.encode(), bytes.fromhex(first["ask"]))
    _, answer = call("/rps/pass1", {**first, **asked})
    _, answer = call("/rps/pass2", {**second, "n": answer["n"]})
    login = {"authOTT": answer["authOTT"]}
    question = seal.number_of(bytes.fromhex(asked["ask"])).hex()
    equal(call("/mpinAuthenticate", {"mpinResponse": login, "A": question})[0], 401)
    phone = another_device()
    phone.approve(Console([phone.id], account=hostile, source=hostile[:40]).number)
    told = since(before)
    equal([record["source"] for record in told if HOST in record["source"]],
          [f"{HOST}/{hostile}", f"{HOST}/{hostile[:40]}"])
    # lines() accepts only lines of visible characters, and at most 64 octets of a value are shown.
    shown = lines("--last", str(len(told)))
    equal([(kind, subject) for _, kind, subject, _ in shown], [parts(record, "subject") for record in told])
    octal = "".join(sign if re.fullmatch(r"[!#-[\]-~]", sign) else
                    "".join(f"\\{octet:03o}" for octet in sign.encode()) for sign in f"{HOST}/{hostile[:40]}")
    equal(shown[-1][3]["source"], octal)
    for line in run("mpind", "audit", "--json", "--last", str(len(told))).split("\n"):
        assert not re.search(r"[\0-\x1f\x7f]", line), repr(line)


def test_three_waits():
    """a sealed login waits three times for the server's disk: its nonce, its try, and the ticket's use"""
    def syncs():
        """The syncs of one login."""
        trace.readlines()
        seen()
        return sum("sync(" in line for line in trace.readlines())

    seen()
    with tempfile.NamedTemporaryFile("r") as trace:
        strace = subprocess.Popen(["strace", "-f", "-e", "trace=fsync,fdatasync", "-o", trace.name, "-p",
                                   str(site().mpind.process.pid)], stderr=subprocess.PIPE, text=True)
        try:
            strace.stderr.readline()
            # During one of them the server may also clean up, or empty its journal.
            equal(min(syncs() for _ in range(3)), 3)
        finally:
            strace.terminate()
            strace.wait(60)
