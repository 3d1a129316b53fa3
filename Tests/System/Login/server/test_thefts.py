# SPDX-License-Identifier: Apache-2.0
# Attackers between device and server, with a photo of the screen, or with a flood of requests: what they can
# do.
import json
import re
import subprocess

from console import call
from house import PUBLIC, Login, as_user
from phones import front, pamtester, phone_settings, phones
from proxy import Changes, Fault
from standin import ANSWER, SESSION, STANDIN, StandIn, fields, frame
from support import LOG, LONG, absent, equal, seal, within
from test_faults import FAST
from test_refusals import counted


class Shows(Fault):
    """Shows the device what the server did not send, and reports to the server that it showed the truth."""

    def __init__(self, index, text, tells=True):
        super().__init__("rps/")
        self.index, self.text, self.tells = index, text, tells

    def instead(self, handler, body):
        asked = json.loads(body or b"{}")
        if "seen" in asked and self.tells:
            asked["seen"] = self.truth
            body = json.dumps(asked).encode()
        status, answer, headers = handler.forward(body)
        if "codeStatus" in handler.path and b'"seen"' in answer:
            message = json.loads(answer)
            self.truth = message["seen"]
            found, time = seal.texts_of(bytes.fromhex(self.truth))
            found[self.index] = self.text
            message["seen"] = seal.seen(found, time).hex()
            answer = json.dumps(message).encode()
        handler.answer(status, answer, headers)
        return True


class Redirects(Fault):
    """Redirects a proof to another session."""

    def __init__(self, wid):
        super().__init__("pass2")
        self.wid = wid

    def instead(self, handler, body):
        handler.answer(*handler.forward(json.dumps({**json.loads(body), "WID": self.wid}).encode()))
        return True


def without_n(body):
    return json.dumps({key: value for key, value in json.loads(body).items() if key != "n"}).encode()


def test_man_in_the_middle():
    """an attacker who swaps session, details or origin on the way to the device, or drops n, gets no proof"""
    with phone_settings("tries = 2"):
        with front():
            other, login = pamtester("dora"), pamtester("dora")
        before = counted(phones().dora)
        for fault in (Shows(0, b"https://login-example.org"), Shows(1, other.wid.encode()),
                      Shows(2, b"playground"), Shows(4, b"erin"), Shows(5, b"127.0.0.1"),
                      Changes("pass1", without_n)):
            with front(fault) as proxy:
                phones().dora.approve(login.address, status=None)
                absent("".join(proxy.calls), "pass2")
        # If the forged details are also sent to the server, the device makes a proof, which opens no login.
        with front(Shows(2, b"playground", tells=False)):
            phones().dora.fails(login.address)
        equal(counted(phones().dora), before)
        with front():
            login.types(phones().dora.approves(login.address))
            within(login.ends()[0], "successfully authenticated")
            other.closes()


def test_swapped_session_of_a_proof():
    """a proof for one login, redirected to another of the same account, approves neither"""
    with phone_settings("tries = 2"):
        with front():
            other, login = pamtester("dora"), pamtester("dora")
        with front(Redirects(other.wid)):
            phones().dora.fails(login.address)
        for console in login, other:
            with front():
                console.types(phones().dora.approves(console.address))
            within(console.ends()[0], "successfully authenticated")


def test_writing_desk():
    """strangers' requests to codeStatus change nothing and cannot end the login"""
    with front(), phone_settings("tries = 1"):
        login = pamtester("dora")
        for code in login.wid, login.number:
            for status in "expired", "authenticate", "user", "abort", "new", "wid":
                call("/rps/codeStatus", {"status": status, "wid": code, "userId": "\x1b[2Jmallory"})
            call("/rps/codeStatus", {"status": "abort", "wid": code, "A": "0" * 64})
        login.types(phones().dora.approves(login.address))
        screen, _ = login.ends()
        within(screen, "successfully authenticated")
        absent(screen, "mallory")


def test_numbers_in_turn():
    """guessing numbers reveals at most a few, and then a number that waits gets the same answer as others"""
    with front(), phone_settings("tries = 1"):
        login = pamtester("dora")
        strange = "3232212"
        ask = [*as_user("bob"), "curl", "-s", "--unix-socket", PUBLIC, "-H", "Content-Type: application/json",
               "http://localhost/rps/codeStatus", "-d"]

        def look(number):
            return subprocess.run([*ask, json.dumps({"status": "wid", "wid": number})], capture_output=True,
                                  text=True).stdout

        nothing = look(strange)
        for _ in range(15):
            equal(look(strange), nothing)
        equal(look(login.number), nothing)
        assert "seen" in look(login.wid), "the wid does not find the session"
        login.types(phones().dora.approves(login.address))
        within(login.ends()[0], "successfully authenticated")


FLOOD = """
import http.client, json, socket, sys
class Server(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(sys.argv[1])
server, sent = Server("localhost"), 0
while True:
    for path, body in json.loads(sys.argv[2]):
        server.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        server.getresponse().read()
        sent += 1
        if sent == 20:
            print("flooding", flush=True)
"""


def test_flood():
    """a stranger's flood of pass 1 and invalid pass 2 for an account costs its owner no login and no try"""
    passes = 100 if LONG else 15
    with front() as proxy, phone_settings("tries = 1"):
        login = pamtester("dora")
        login.types(phones().dora.approves(login.address)).ends()
        first, second = (json.loads(proxy.bodies[path][-1]) for path in ("/rps/pass1", "/rps/pass2"))
        garbage = [["/rps/pass1", first], ["/rps/pass2", second],
                   ["/rps/pass1", {key: value for key, value in first.items() if key != "seen"}],
                   ["/rps/pass2", {**second, "V": second["V"][::-1]}],
                   ["/rps/pass2", {key: value for key, value in second.items() if key != "n"}]]
        process = subprocess.Popen([*as_user("bob"), "/usr/bin/python3", "-c", FLOOD, PUBLIC,
                                    json.dumps(garbage)], stdout=subprocess.PIPE, text=True)
        try:
            equal(process.stdout.readline(), "flooding\n")
            for _ in range(passes):
                login = pamtester("dora")
                login.types(phones().dora.approves(login.address))
                within(login.ends()[0], "successfully authenticated")
            assert process.poll() is None, "the flood ended before the logins"
        finally:
            process.kill()
            process.wait()
        equal(counted(phones().dora), 0)


WRITTEN = [b"\x1b[2J\x1b[H", b"\xc2\x9b2J", "\u202e".encode(), "\u200b".encode(), b"x" * 10000, b"a\nb",
           b"https://evil.example/#" + b"a" * 32, b"", b"\0", b"3232213", b"0" * 31, b"\xff" * 32]


def test_relay_that_draws():
    """text that a relay writes into the fields of a session is never shown: the login ends before its
    screen"""
    given = FAST + f"relay = {STANDIN}\n"
    for index in range(1, 5):
        for text in WRITTEN:
            def play(relay, question):
                answer = relay.exchange(question)
                if question[0] != SESSION:
                    return answer
                found = fields(answer)[1]
                found[index] = text
                return frame(SESSION + ANSWER, *found)

            mark = LOG.mark()
            with StandIn(play), phone_settings(given):
                login = Login("mpin", "dora", "BCDFGH")
            equal((login.code, login.prompts), ("SERVICE_ERR", []), (index, text))
            assert re.fullmatch(r"[ -~\n|]*", login.screen), login.screen
            absent(login.screen, "evil", "xxx")
            equal(LOG.record(mark)[0], 3)


def test_relay_that_swaps():
    """a relay that shows another login's session, with its seal, is detected before anything is drawn"""
    with phone_settings(FAST + f"relay = {STANDIN}\n"):
        with StandIn() as standin:
            Login("mpin", "dora", "BCDFGH")
        earlier = next(answer for answer in standin.answers if answer[0] == SESSION + ANSWER)
        with StandIn(lambda relay, question: earlier if question[0] == SESSION else relay.exchange(question)):
            login = Login("mpin", "dora", "BCDFGH")
        equal((login.code, login.prompts), ("SERVICE_ERR", []))
