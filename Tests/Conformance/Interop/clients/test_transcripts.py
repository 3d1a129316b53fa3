# SPDX-License-Identifier: Apache-2.0
# The second client compared with the recorded one: the C++ core's requests to Milagro's server, and the
# answers.
import json
import re
import pytest

from support import equal, read, status
from support.milagro import good
from urllib.parse import parse_qsl, urlsplit

from test_registration import PIN, client

TRANSCRIPTS = "Tests/Conformance/Transcripts"
# Requests of the core to others than RPS, RPA and authority, or made only once, and requests of others to the
# RPA.
ELSEWHERE = re.compile("/(service|tp/|mpinVerify|mpinActivate|mpinPermitUser|rps/clientSettings)")
HEADERS = ["accept", "content-type", "expect", "user-agent", "x-miracl-os-class"]


def keys(value):
    """The names in a JSON value, without their values."""
    return {name: keys(inner) for name, inner in value.items()} if isinstance(value, dict) else ""


def shape(method, path, headers, body):
    """A request without what differs between logins; the authority may be at any path."""
    url = urlsplit(path)
    place = re.sub("[0-9a-f]{32,}", "HEX", url.path).replace("/dta2/", "/")
    query = sorted(name for name, _ in parse_qsl(url.query, keep_blank_values=True))
    named = {name.lower(): value for name, value in headers}
    fields = [named.get(name) for name in HEADERS]
    return method, place, query, fields, keys(json.loads(body)) if body else None


def lines(name):
    """The lines of a recording, in order."""
    said = map(json.loads, read(f"{TRANSCRIPTS}/{name}").removesuffix("\n").split("\n"))
    return sorted(said, key=lambda line: line["seq"])


def recorded(name):
    """The core's requests and their answers, in order."""
    for line in lines(name):
        said, heard = line["request"], line["response"]
        if line["edge"] in ("rpa", "miracl-dta") and not ELSEWHERE.match(said["path"]):
            yield shape(said["method"], said["path"], said["headers"], said["body"]), heard


class Ear:
    """Records a client's requests and answers from now on."""

    def __init__(self, user):
        self.calls = []
        user.wire.heard = lambda *call: self.calls.append(call)

    def agrees(self, name):
        """The requests begin like the transcript, and the answers have every key of the recorded ones."""
        exchanges = list(recorded(name))
        assert len(exchanges) >= len(self.calls) > 0, name
        for (wanted, heard), (method, path, headers, body, answer) in zip(exchanges, self.calls):
            equal(shape(method, path, headers.items(), body), wanted, name)
            equal(answer.status, heard["status"], path)
            # An application's answer to a login is its own.
            if answer.status == 200 and heard["body"] and path != "/mpinAuthenticate":
                equal(sorted(set(json.loads(heard["body"])) - set(answer.json)), [], path)
        return len(self.calls), len(exchanges)


def again(user):
    """A login with the permit at hand, because FinishAuthentication may be called again."""
    return user.redeem(good(user.pass2(user.answer(*user.pass1(PIN)))).json)


@pytest.mark.mpind(registration="confirm")
def test_whole_transcript(mpind):
    """A registration that waits, is repeated and confirmed, and two logins have the core's requests."""
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
    """A registration and two logins with wrong PINs have the core's requests, with a permit that it keeps."""
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
    """The settings have every recorded key except those of browsers' access numbers."""
    bodies = [line["response"]["body"] for line in lines("02-auth-good.jsonl")
              if line["request"]["path"] == "/rps/clientSettings"]
    missing = set(json.loads(bodies[0])) - set(client(mpind, "nobody").settings)
    equal(missing - {"accessNumberURL", "getAccessNumberURL"}, set())
