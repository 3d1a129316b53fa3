# SPDX-License-Identifier: Apache-2.0
# An attacker in place of the relay or of mpind can refuse a login, but neither grant it nor learn the PIN.
import hashlib
import http.server
import json
import os
import threading

from house import PUBLIC, Login, settings, site
from proxy import Changes, Proxy
from standin import ANSWER, AUTHENTICATE, PASS1, STANDIN, StandIn, fields, frame, host_key
from support import LOG, absent, equal, seal
from test_faults import PATIENT, PROXY

GIVEN = PATIENT + f"relay = {STANDIN}\n"
OK = b"\0\xc8"


def granted_login(user="alice"):
    """The sealed answer of a granted login, as a relay sees it."""
    with StandIn() as standin, settings(GIVEN):
        equal(Login("mpin", user, getattr(site(), user)).code, "SUCCESS")
    return fields(standin.answers[-1])[1][1:3]


def forgeries():
    """Forged answers that say `granted`, and the log's reasons for refusing them: each a function of the
    question's A and the identity."""
    earlier, other = granted_login(), granted_login("bob")
    return [
        ("seal-missing", lambda question, id: (b"", b"")),
        ("seal-wrong-tag", lambda question, id: (seal.answer(question, identity=id), bytes(32))),
        ("seal-of-another-question", lambda question, id: earlier),
        ("seal-of-another-question", lambda question, id: other),
        ("seal-of-another-way", lambda question, id: sealed(seal.answer(question, way=2, identity=id))),
        ("seal-of-another-identity", lambda question, id: sealed(seal.answer(question, identity=bytes(32)))),
        ("seal-malformed",
         lambda question, id: sealed(seal.answer(question, identity=id).replace(b"answer 1", b"answer 2"))),
        ("seal-wrong-tag",
         lambda question, id: (seal.answer(question, identity=id), hashlib.sha256(question).digest())),
    ]


def sealed(answer):
    return answer, seal.answer_tag(answer, host_key())


def notice(question):
    """The notice of no wrong tries for a question, and its tag."""
    return sealed(seal.notice(question))


def granting(forge):
    """A relay that answers the last question with what `forge` makes of its A and the identity."""
    def play(relay, question):
        kind, found = fields(question)
        if kind == PASS1:
            play.id = hashlib.sha256(found[0]).digest()
        if kind != AUTHENTICATE:
            return relay.exchange(question)
        return frame(AUTHENTICATE + ANSWER, OK, *forge(found[2], play.id), *notice(found[2]))

    return play


def test_relay_that_grants():
    """an answer `granted` without the tag of this question, method and identity is refused"""
    for name, forge in forgeries():
        mark = LOG.mark()
        with StandIn(granting(forge)), settings(GIVEN):
            equal(Login("mpin-or-pass", "alice", "Kestrel-0000").code, "SERVICE_ERR", name)
        priority, pairs, _ = LOG.record(mark)
        equal((priority, pairs["reason"]), (3, name))


def test_relay_that_seals():
    """the right seal lets in, so the answers above are refused because they are forged"""
    right = granting(lambda question, id: sealed(seal.answer(question, identity=id)))
    with StandIn(right), settings(GIVEN):
        equal(Login("mpin", "alice", "Kestrel-0000").code, "SUCCESS")


def test_every_bit():
    """an answer, a notice or a tag with any one bit flipped is refused"""
    bits = range(0, 8 * (86 + 32 + 58 + 32), 59)
    for bit in bits:
        def play(relay, question):
            answer = relay.exchange(question)
            if question[0] != AUTHENTICATE:
                return answer
            status, *parts = fields(answer)[1]
            place = bit // 8
            for index, part in enumerate(parts):
                if 0 <= place < len(part):
                    changed = bytearray(part)
                    changed[place] ^= 1 << bit % 8
                    parts[index] = bytes(changed)
                place -= len(part)
            return frame(AUTHENTICATE + ANSWER, status, *parts)

        with StandIn(play), settings(GIVEN):
            equal(Login("mpin-or-pass", "alice", site().alice).code, "SERVICE_ERR", bit)


class Impostor(http.server.BaseHTTPRequestHandler):
    """Stands in for mpind, knows everything but the host's key, and grants."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.reply({
            "mpinAuthServerURL": "/rps", "authenticateURL": "/mpinAuthenticate", "registerURL": "/rps/user",
            "signatureURL": "/rps/signature", "timePermitsURL": "/rps/timePermit", "certivoxURL": "/dta2/",
            "appID": "0" * 32, "usePermits": False, "requestOTP": False, "setDeviceName": False,
            "mobileAuthenticateURL": "/rps/authenticate", "setupDoneURL": "/rps/setupDone",
            "timePermitsStorageURL": "",
        })

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server = self.server
        if self.path == "/rps/pass1":
            server.question = seal.number_of(bytes.fromhex(asked["ask"]))
            server.id = hashlib.sha256(bytes.fromhex(asked["mpin_id"])).digest()
            n = os.urandom(32)
            u, ut = (bytes.fromhex(asked.get(key, "")) for key in ("U", "UT"))
            y = seal.challenge(n, server.id, u, ut, server.question)
            self.reply({"y": y.hex(), "n": n.hex(), "pass": 1})
        elif self.path == "/rps/pass2":
            server.asked_for_a_verdict = False
            self.reply({"authOTT": "0" * 64, "version": "0.3", "pass": 2})
        else:
            server.asked_for_a_verdict = True
            answer, tag = server.forge(server.question, server.id)
            self.reply({"status": 200, "answer": answer.hex(), "answerTag": tag.hex()})

    def reply(self, body):
        body = json.dumps(body).encode()
        self.send_response_only(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def test_impostor_on_the_port():
    """an impostor on mpind's port, on 127.0.0.1 or ::1, who knows all but the host's key is not believed"""
    for address, url in ("127.0.0.1", "http://127.0.0.1:8011/"), ("::1", "http://[::1]:8011/"):
        class V6(http.server.ThreadingHTTPServer):
            address_family = 10 if ":" in address else 2
            daemon_threads = True

        with V6((address, 8011), Impostor) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            for name, server.forge in forgeries():
                mark = LOG.mark()
                with settings(PATIENT, backend=url):
                    equal(Login("mpin-or-pass", "alice", site().alice).code, "SERVICE_ERR", name)
                equal(LOG.record(mark)[1]["reason"], name)
                assert server.asked_for_a_verdict
            server.shutdown()


def test_purpose_of_a_proof():
    """a y that is not made for this question gets no V, and no try is counted"""
    for change in (
        lambda y: {**y, "y": "%064x" % (int(y["y"], 16) ^ 1)}, lambda y: {**y, "n": os.urandom(32).hex()},
        lambda y: {key: value for key, value in y.items() if key != "n"}, lambda y: {**y, "y": "0" * 64},
    ):
        fault = Changes("pass1", lambda body, change=change: json.dumps(change(json.loads(body))).encode())
        with Proxy(PROXY, PUBLIC, fault) as proxy, settings(PATIENT, backend=f"unix:{PROXY}"):
            equal(Login("mpin-or-pass", "alice", site().alice).code, "SERVICE_ERR")
        absent("".join(proxy.calls), "pass2")
    equal(Login("mpin", "alice", site().alice).code, "SUCCESS")
