# SPDX-License-Identifier: Apache-2.0
# Which logins wait for a device, asked over real HTTP by a client with a device key (seal-waiting.md).
import time

from support import equal, matching, seal, status
from test_registration import HEX32, PIN, invited

HOST, NOTHING = "waiting-host", {"waiting": []}
keys = {}


def device(mpind, name):
    user, code = invited(mpind, name)
    return user.register(PIN, activateCode=code, bound=1)


class Console:
    """A login that a host opens for a device."""

    def __init__(self, mpind, *devices, source="203.0.113.9"):
        self.key = keys.get(mpind.home) or keys.setdefault(mpind.home, mpind.host(HOST))
        asked = seal.question(HOST, [each.hash for each in devices], "sshd", "alice", source)
        self.question, self.wire = seal.number_of(asked), mpind.wire()
        said = status(self.wire.post("/rps/getQrUrl", seal.asks(asked, self.key)), 200).json
        self.number, self.wid = said["accessNumber"], said["qrUrl"].rpartition("#")[2]

    @property
    def code(self):
        return seal.code_of(self.question, self.wid, self.key)


def listed(user, **fields):
    return status(user.waits(**fields), 200).json["waiting"]


def test_listed(mpind):
    """A device hears of a login what a scan would tell it, and approves it by that, without a scan."""
    user = device(mpind, "alice-waits")
    equal(status(user.waits(), 200).json, NOTHING)
    console = Console(mpind, user)
    entry, = listed(user)
    equal(sorted(entry), ["attempt", "life", "number", "seen", "wid"])
    scanned = status(user.wire.post("/rps/codeStatus", {"status": "wid", "wid": console.wid}), 200).json
    equal([entry[key] for key in ("seen", "life", "attempt")],
          [scanned[key] for key in ("seen", "life", "attempt")])
    equal((entry["number"], matching(entry["wid"], HEX32)), (console.number, console.wid))
    texts, _ = seal.texts_of(bytes.fromhex(entry["seen"]))
    equal(texts[1:], [console.wid.encode(), HOST.encode(), b"sshd", b"alice", b"203.0.113.9"])
    user.today = 0, None
    begun, y = user.pass1(PIN, entry["seen"])
    said = status(user.pass2(user.answer(begun, y, entry["wid"])), 200).json
    equal(status(user.redeem_elsewhere(said), 200).json["code"], console.code)


def test_strangers_list(mpind):
    """Ten logins of one stranger hide no other login, and the code of one of them fits no other console."""
    user = device(mpind, "bella-waits")
    mine = Console(mpind, user)
    theirs = [Console(mpind, user, source="198.51.100.7") for _ in range(10)]
    entries = listed(user)
    equal(len(entries), 3)
    own, = [entry for entry in entries if entry["number"] == mine.number]
    equal(own["wid"], mine.wid)
    strange = next(entry for entry in entries if entry is not own)
    user.today = 0, None
    begun, y = user.pass1(PIN, strange["seen"])
    said = status(user.pass2(user.answer(begun, y, strange["wid"])), 200).json
    code = status(user.redeem_elsewhere(said), 200).json["code"]
    equal([console.code == code for console in (mine, *theirs)].count(True), 1)
    assert code != mine.code
    for console in mine, *theirs:
        for given in console.wid, console.number:
            told = console.wire.post("/rps/codeStatus", {"status": "wid", "wid": given})
            assert code.encode() not in told.body, told


def test_without_the_key(mpind):
    """Without a right tag of about now every answer is that of a device for which nothing waits."""
    user, other = device(mpind, "carla-waits"), device(mpind, "cora-waits")
    nothing = status(user.waits(), 200).body
    Console(mpind, user)
    now = int(time.time())
    for answer in (user.waits(off=-660), user.waits(off=660), user.waits(deviceTag="00" * 32),
                   user.waits(deviceTag=""), user.waits(time=now - 100), user.waits(id=other.hash),
                   user.waits(id="00" * 32), other.waits(id=user.hash), other.waits()):
        equal(status(answer, 200).body, nothing)
    equal([len(listed(user, off=off)) for off in (-500, 0, 500)], [1, 1, 1])


def test_broken_questions(mpind):
    """Broken questions are refused; the time may be a number or its digits."""
    user = device(mpind, "doris-waits")
    for body in b"", b"{", {}, {"id": user.hash}, []:
        status(user.wire.post("/rps/waiting", body), 400)
    for fields in ({"id": "00"}, {"id": 7}, {"time": -1}, {"time": 1.5}, {"time": "soon"}, {"time": None},
                   {"deviceTag": 7}, {"deviceTag": "0"}):
        status(user.waits(**fields), 400)
    status(user.wire.get("/rps/waiting"), 405)
    Console(mpind, user)
    equal(len(listed(user, time=str(int(time.time())))), 1)


def test_limit(mpind):
    """A device may ask sixty times a minute; without its key nobody can use that up."""
    user = device(mpind, "emma-waits")
    console = Console(mpind, user)
    for _ in range(70):
        status(user.waits(deviceTag="00" * 32), 200)
    began = time.monotonic()
    answers = [user.waits() for _ in range(61)]
    assert time.monotonic() - began < 60
    equal([answer.status for answer in answers], [200] * 60 + [429])
    equal(answers[59].json["waiting"][0]["number"], console.number)
    wait = int(dict(answers[60].headers)["Retry-After"])
    assert 0 < wait <= 60, wait
    equal(status(user.waits(deviceTag="00" * 32), 200).json, NOTHING)
