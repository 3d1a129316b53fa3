# SPDX-License-Identifier: Apache-2.0
# A server and a relay that fail at every point: the documented outcome, in time, and no damage to the store.
import hashlib
import os
import signal
import socket
import stat
import subprocess

from house import PUBLIC, STORE, Login, settings, site
from proxy import Answers, Changes, CutsOff, Dies, Hangs, Proxy
from standin import PASS1, RELAY, STANDIN, StandIn, fields
from support import LOG, equal, eventually, within

PROXY = "/run/mpind/proxy.sock"
CALLS = ["pass1", "pass2", "mpinAuthenticate"]
LENIENT = "unenrolled = ignore\n"
# Timeouts for faults that show at once, even on a slow machine; and for faults that show only by a timeout.
PATIENT = LENIENT + "deadline = 50\nconnect-timeout = 20\ncall-timeout = 40\n"
FAST = LENIENT + "deadline = 50\nconnect-timeout = 2\ncall-timeout = 3\n"
RUBBISH = b"{\"y\": [[[ \xff\x00 <html>"


def token_files():
    """Every file of the store with its mode and a hash of its content."""
    files = {}
    for folder, _, names in os.walk(STORE):
        for name in names:
            path = os.path.join(folder, name)
            content = open(path, "rb").read()
            files[path] = (stat.filemode(os.stat(path).st_mode), hashlib.sha256(content).hexdigest())
    return files


def login_through(*faults, pin=None, more=PATIENT):
    """One login through the proxy with these faults, under the policy that ignores what it may."""
    before = token_files()
    with Proxy(PROXY, PUBLIC, *faults) as proxy, settings(more, backend=f"unix:{PROXY}"):
        login = Login("mpin-or-pass", "alice", pin or site().alice, timeout=80)
    equal(token_files(), before)
    login.calls = [call.split("?")[0] for call in proxy.calls]
    return login


def test_undisturbed():
    """a login through the proxy without faults succeeds"""
    login = login_through()
    equal(login.code, "SUCCESS")
    equal(len(login.calls), len(CALLS))


def each_call(make, wanted, more=PATIENT):
    for call in CALLS:
        mark = LOG.mark()
        login = login_through(make(call), more=more)
        equal(login.code, wanted, f"{make(call).__class__.__name__} at {call}")
        assert login.seconds < 35, f"{call}: {login.seconds} s"
        priority, _, line = LOG.record(mark)
        equal(priority, 3, line)


def test_server_dies():
    """a server that dies at any call, before or after it got the request, is unavailable"""
    each_call(lambda call: Dies(call), "AUTHINFO_UNAVAIL")
    each_call(lambda call: Dies(call, heard=True), "AUTHINFO_UNAVAIL")


def test_server_hangs():
    """a server that hangs at any call is unavailable within its timeout"""
    each_call(Hangs, "AUTHINFO_UNAVAIL", FAST)


def test_server_errs():
    """an answer 500 at any call is unavailable"""
    each_call(lambda call: Answers(call, 500, b"{}"), "AUTHINFO_UNAVAIL")


def test_answers_cut_off():
    """an answer that is cut off is unavailable"""
    each_call(CutsOff, "AUTHINFO_UNAVAIL")


def test_rubbish():
    """an answer that is not JSON, or ten megabytes of it, is an error"""
    for body in RUBBISH, b"[" * 10_000_000:
        each_call(lambda call: Answers(call, 200, body), "SERVICE_ERR")


def test_foreign_answers():
    """an unexpected status at any call lets no user in or past"""
    for status in 204, 302, 400, 401, 403, 404, 409, 410, 412, 418, 429:
        for call in CALLS:
            login = login_through(Answers(call, status, b"{}"))
            assert login.code not in ("SUCCESS", "IGNORE"), (status, call)


def test_status_against_verdict():
    """the sealed verdict decides, whatever status a proxy sets"""
    equal(login_through(Changes("mpinAuthenticate", lambda body: body, status=401)).code, "SUCCESS")
    login = login_through(Changes("mpinAuthenticate", lambda body: body, status=200), pin="Kestrel-0000")
    equal(login.code, "CONV_ERR", "wrong PIN: the host prompts again")


def test_real_server_dies():
    """mpind killed between the passes is unavailable; after a restart it lets the user in"""
    class Kills(Dies):
        def instead(self, handler, body):
            site().mpind.stop(signal.SIGKILL)
            handler.hang_up()
            return True

    for call in "pass1", "pass2", "mpinAuthenticate":
        equal(login_through(Kills(call)).code, "AUTHINFO_UNAVAIL", call)
        site().mpind.start()
    equal(login_through().code, "SUCCESS")


def test_overall_deadline():
    """the deadline of the whole login ends it at any point"""
    login = login_through(Hangs("pass1"), more=LENIENT + "deadline = 4\ncall-timeout = 60\n")
    equal(login.code, "AUTH_ERR")
    assert login.seconds < 35, login.seconds


RELAYS = {
    "absent": None, "not a program": b"#!/nowhere\n", "ends at once": b"#!/bin/true\n",
    "is silent": b"#!/bin/sh\nexec sleep 100\n",
    "writes rubbish": b"#!/usr/bin/python3 -ISB\nimport os\nos.write(3, b'\\x81rubbish')\nos.read(3, 9)\n",
    "says another version": b"#!/usr/bin/python3 -ISB\nimport os\nos.read(3, 9)\nos.write(3, "
                            b"bytes.fromhex('81000200c8000105'))\nos.read(3, 9)\n",
}


def test_broken_relays():
    """a relay that is missing, dies, is silent or breaks a frame is an error"""
    for name, text in RELAYS.items():
        if text is not None:
            with open(STANDIN, "wb") as file:
                file.write(text)
            os.chmod(STANDIN, 0o755)
        more = FAST if name == "is silent" else PATIENT
        more += f"relay = {STANDIN if text is not None else RELAY + '-absent'}\n"
        mark = LOG.mark()
        with settings(more):
            login = Login("mpin-or-pass", "alice", site().alice)
        equal(login.code, "AUTHINFO_UNAVAIL" if name == "is silent" else "SERVICE_ERR", name)
        assert login.seconds < 35, (name, login.seconds)
        priority, record, _ = LOG.record(mark)
        equal(priority, 3)
        equal(record.get("do"), "restart-the-service" if name == "says another version" else None, name)
    os.chmod(STANDIN, 0o777)
    with settings(PATIENT + f"relay = {STANDIN}\n"):
        equal(Login("mpin-or-pass", "alice", site().alice).code, "SERVICE_ERR", "a relay anyone can write")


def test_module_of_another_version():
    """a relay answers a module of another version with its own version, and ends"""
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    relay = subprocess.Popen([RELAY], preexec_fn=lambda: os.dup2(there.fileno(), 3), pass_fds=[3])
    there.close()
    here.send(bytes.fromhex("01000101") + b"whatever it has")
    equal(here.recv(65536), bytes.fromhex("81000200c8000104"))
    equal(here.recv(65536), b"")
    equal(relay.wait(60), 0)


def test_relay_killed():
    """a relay that is killed in the middle of a login is an error"""
    class Kills(Hangs):
        def instead(self, handler, body):
            os.system("pkill -KILL -x -u _mpin mpin-relay")
            return super().instead(handler, body)

    for call in "pass1", "pass2", "mpinAuthenticate":
        equal(login_through(Kills(call)).code, "SERVICE_ERR")


def test_no_account_for_the_relay():
    """without the account _mpin there is no relay and no login"""
    passwd = open("/etc/passwd").read()
    try:
        with open("/etc/passwd", "w") as file:
            file.write("".join(line for line in passwd.splitlines(True) if not line.startswith("_mpin:")))
        with settings(PATIENT):
            equal(Login("mpin-or-pass", "alice", site().alice).code, "SERVICE_ERR")
    finally:
        with open("/etc/passwd", "w") as file:
            file.write(passwd)


def test_second_answers():
    """a relay that answers pass 1 twice, or reports a failure after V, gets no second V for the same U"""
    spent = []

    def twice(relay, question):
        answer = relay.exchange(question)
        return [answer, answer] if question[0] == PASS1 else answer

    for _ in range(3):
        with StandIn(twice) as standin, settings(PATIENT + f"relay = {STANDIN}\n"):
            equal(Login("mpin-or-pass", "alice", site().alice).code, "SERVICE_ERR")
        spent += [found[1] for found in standin.asked(PASS1)]
    equal(len(spent), len(set(spent)), "each U once")

    def failing(relay, question):
        kind, _ = fields(question)
        return relay.exchange(question) if kind != 5 else bytes([133, 0, 2, 0, 1, 0, 0, 0, 0])

    with StandIn(failing) as standin, settings(PATIENT + f"relay = {STANDIN}\n"):
        equal(Login("mpin-or-pass", "alice", site().alice).code, "AUTHINFO_UNAVAIL")
    equal(len(standin.asked(5)), 1)


def test_nothing_runs_on():
    """no relay outlives its login"""
    eventually(lambda: os.system("pgrep -x -u _mpin mpin-relay >/dev/null") != 0, "the end of every relay")
    within(open(f"{STORE}/host").read(), "name = ")
