# SPDX-License-Identifier: Apache-2.0
# The second client beside the recorded one: the C++ core against Milagro's server sent and heard the same.
import json
import re
import pytest

from support import equal, read, status
from support.milagro import good
from urllib.parse import parse_qsl, urlsplit

from test_registration import PIN, client

TRANSCRIPTS = "Tests/Conformance/Transcripts"
# What the core asks of others than RPS, RPA and authority, or does only once, and what others ask of the RPA.
ELSEWHERE = re.compile("/(service|tp/|mpinVerify|mpinActivate|mpinPermitUser|rps/clientSettings)")
HEADERS = ["accept", "content-type", "expect", "user-agent", "x-miracl-os-class"]


def keys(value):
    """The names in a JSON value, without what they stand for."""
    return {name: keys(inner) for name, inner in value.items()} if isinstance(value, dict) else ""


def shape(method, path, headers, body):
    """A request without what differs from one login to the next; the authority may stand at any path."""
    url = urlsplit(path)
    place = re.sub("[0-9a-f]{32,}", "HEX", url.path).replace("/dta2/", "/")
    query = sorted(name for name, _ in parse_qsl(url.query, keep_blank_values=True))
    named = {name.lower(): value for name, value in headers}
    fields = [named.get(name) for name in HEADERS]
    return method, place, query, fields, keys(json.loads(body)) if body else None


def lines(name):
    """What a recording says, in order."""
    said = map(json.loads, read(f"{TRANSCRIPTS}/{name}").removesuffix("\n").split("\n"))
    return sorted(said, key=lambda line: line["seq"])


def recorded(name):
    """What the core sent, and what it heard, in order."""
    for line in lines(name):
        said, heard = line["request"], line["response"]
        if line["edge"] in ("rpa", "miracl-dta") and not ELSEWHERE.match(said["path"]):
            yield shape(said["method"], said["path"], said["headers"], said["body"]), heard


class Ear:
    """What a client says and hears from now on."""

    def __init__(self, user):
        self.calls = []
        user.wire.heard = lambda *call: self.calls.append(call)

    def agrees(self, name):
        """It is what the transcript begins with; the answers have every key of the recorded ones."""
        exchanges = list(recorded(name))
        assert len(exchanges) >= len(self.calls) > 0, name
        for (wanted, heard), (method, path, headers, body, answer) in zip(exchanges, self.calls):
            equal(shape(method, path, headers.items(), body), wanted, name)
            equal(answer.status, heard["status"], path)
            # What an application answers to a login is its own.
            if answer.status == 200 and heard["body"] and path != "/mpinAuthenticate":
                equal(sorted(set(json.loads(heard["body"])) - set(answer.json)), [], path)
        return len(self.calls), len(exchanges)


def again(user):
    """A login with the permit that is there, as FinishAuthentication may be called again."""
    return user.redeem(good(user.pass2(user.answer(*user.pass1(PIN)))).json)


@pytest.mark.mpind(registration="confirm")
def test_whole_transcript(mpind):
    """A registration that waits, is asked for again and confirmed, and two logins are those of the core."""
    user = client(mpind, "transcript")
    ear, device = Ear(user), {"deviceName": "laptop2"}
    user.start(**device, userData="ud1")
    status(user.confirm(), 401)
    user.start(restart=True, **device, userData="ud2")
    mpind.user("confirm", user.user_id, "--id", user.hash)
    user.confirm()
    user.finish(PIN)
    status(user.log_in(PIN), 200)
    status(again(user), 200)
    equal(*ear.agrees("07c-register-verified-restart-redis.jsonl"))


@pytest.mark.mpind(registration="confirm")
def test_wrong_transcript(mpind):
    """A registration and two logins with wrong PINs are those of the core, with a permit that it keeps."""
    user = client(mpind, "wrong-transcript")
    ear = Ear(user)
    user.start(deviceName="laptop1")
    mpind.user("confirm", user.user_id, "--id", user.hash)
    user.confirm()
    user.finish(PIN)
    equal([user.log_in(pin).status for pin in ("1235", "1236")], [401, 401])
    heard, recorded_calls = ear.agrees("03-wrong-pin-blocked.jsonl")
    equal(recorded_calls - heard, 4, "the third one, which blocks")


def test_settings_transcript(mpind):
    """The settings have every key of the recorded ones but those of browsers' access numbers."""
    bodies = [line["response"]["body"] for line in lines("02-auth-good.jsonl")
              if line["request"]["path"] == "/rps/clientSettings"]
    missing = set(json.loads(bodies[0])) - set(client(mpind, "nobody").settings)
    equal(missing - {"accessNumberURL", "getAccessNumberURL"}, set())
