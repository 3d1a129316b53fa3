# SPDX-License-Identifier: Apache-2.0
# Registrations of an unmodified Milagro client: by activation code, and with an administrator's confirmation.
import json
import re

import pytest

from support import equal, matching, status
from support.milagro import Client

HEX32 = re.compile("[0-9a-f]{32}")
POINT = re.compile("04[0-9a-f]{128}")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?")
ISSUED = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{6})?")
PIN = "1234"


def client(mpind, name, **headers):
    return Client(mpind.wire(**headers), f"{name}@example.org")


def invited(mpind, name, **headers):
    """A client, and the activation code of its user."""
    user = client(mpind, name, **headers)
    return user, mpind.user("add", user.user_id)["activationCode"]


def registered(mpind, name, pin=PIN, **headers):
    user, code = invited(mpind, name, **headers)
    return user.register(pin, activateCode=code)


def test_settings(mpind):
    """The settings are those of protocol 0.3, with every address under the backend."""
    said = client(mpind, "nobody").settings
    for key in ("signatureURL", "registerURL", "timePermitsURL", "setupDoneURL", "mobileAuthenticateURL"):
        assert said[key].startswith("/rps/"), said
    assert said["certivoxURL"].endswith("/") and said["mpinAuthServerURL"] == "/rps", said
    equal([type(said[key]) for key in ("useNFC", "requestOTP", "setDeviceName", "useWebSocket")], [bool] * 4)
    equal((said["useWebSocket"], said["cSum"], said["accessNumberDigits"], said["accessNumberUseCheckSum"]),
          (False, 1, 7, True))
    matching(said["seedValue"], re.compile("[0-9a-f]{200}"))
    assert said["appID"] and said["authenticateURL"], said
    equal(said["usePermits"], False)


def test_by_code(mpind):
    """With an activation code a client is active at once, and both authorities give it their shares."""
    user, code = invited(mpind, "alice")
    said = status(user.start(activateCode=code), 200).json
    equal(said["active"], True)
    matching(said["regOTT"], HEX32)
    assert matching(said["expireTime"], TIME) > matching(said["nowTime"], TIME), said
    identity = json.loads(user.identity)
    equal((identity["userID"], identity["mobile"]), (user.user_id, 1))
    matching(identity["issued"], ISSUED)
    matching(identity["salt"], HEX32)
    status(user.confirm(push="a-push-message"), 200)
    for share in user.shares:
        matching(share, POINT)
    user.finish(PIN)
    equal(user.wire.post(f"{user.settings['setupDoneURL']}/{user.mpin_id}", b"").status, 200)
    status(user.log_in(PIN), 200)


def test_bound(mpind):
    """A client that requests bound challenges is told at once that it will get them."""
    user, code = invited(mpind, "olga")
    said = status(user.start(activateCode=code, bound=1), 200).json
    equal((said["active"], said["bound"]), (True, True))
    status(user.confirm(), 200)
    user.finish(PIN)
    status(user.log_in(PIN), 200)


def test_device_key_needed(mpind):
    """A bound identity's right PIN without its device key gets the answer of a wrong one, and locks
    nothing."""
    user, code = invited(mpind, "peggy")
    user.register(PIN, activateCode=code, bound=1)
    key, user.device_key = user.device_key, bytes(32)
    for _ in range(4):
        status(user.log_in(PIN), 401)
    user.device_key = key
    status(user.log_in(PIN), 200)


def test_without_code(mpind):
    """Without a code, or with a wrong one, the answer looks like a waiting registration, but none waits."""
    user, code = invited(mpind, "bob")
    for fields in {}, {"activateCode": ""}, {"activateCode": "BBBB-BBBB-BBBB-BBBB"}:
        said = status(user.start(**fields), 200).json
        equal(sorted(said), ["active", "expireTime", "mpinId", "nowTime", "regOTT"])
        equal(said["active"], False)
        status(user.confirm(), 401)
    user.register(PIN, activateCode=code)
    equal(mpind.user("list")["waiting"], [])


def test_wrong_codes(mpind):
    """Six wrong codes for a user do not invalidate the right one."""
    user, code = invited(mpind, "carol")
    for _ in range(6):
        equal(user.start(activateCode="CCCC-CCCC-CCCC-CCCC").json["active"], False)
    equal(user.start(activateCode=code).json["active"], True)


def test_bad_requests(mpind):
    """A registration without a user, or that is not JSON, is a bad request; GET is not allowed there."""
    wire = mpind.wire()
    for body in b"", b"{", b"[]", b'"x"', {}, {"userId": ""}, {"userId": None}, {"mobile": 1}:
        status(wire.put("/rps/user", body), 400)
    status(wire.get("/rps/user"), 405)


def test_once(mpind):
    """A secret is issued once: a second GET signature is refused, and so is a second request to the
    authority."""
    user, code = invited(mpind, "dave")
    status(user.start(activateCode=code), 200)
    url = f"{user.settings['signatureURL']}/{user.mpin_id}"
    status(user.wire.get(url), 400)
    status(user.wire.get(f"{url}?regOTT={'0' * 32}"), 401)
    first = status(user.wire.get(f"{url}?regOTT={user.reg_ott}"), 200).json
    status(user.wire.get(f"{url}?regOTT={user.reg_ott}"), 401)
    query = user.settings["certivoxURL"] + "clientSecret?" + first["params"]
    status(user.wire.get(query), 200)
    status(user.wire.get(query), 403)


def test_spent_code(mpind):
    """A code that has made a secret for a Milagro client makes no second one."""
    user, code = invited(mpind, "erin")
    user.register(PIN, activateCode=code)
    equal(client(mpind, "erin").start(activateCode=code).json["active"], False)


def test_begun_anew(mpind):
    """A phone that lost its secret during enrolment starts again with its code, until the first login; its
    earlier identity is revoked."""
    first, code = invited(mpind, "emil")
    first.register(PIN, activateCode=code, bound=1)
    second = client(mpind, "emil")
    second.register("4321", activateCode=code, bound=1)
    status(first.permit(), 410)
    status(second.log_in("4321"), 200)
    equal(client(mpind, "emil").start(activateCode=code, bound=1).json["active"], False)


def test_two_devices(mpind):
    """A second device of the same user gets a separate identity, and both log in."""
    first, second = registered(mpind, "frank"), registered(mpind, "frank")
    assert first.mpin_id != second.mpin_id
    for device in first, second:
        status(device.log_in(PIN), 200)


def test_what_may_be_sent(mpind):
    """A name in any script, a device's name, any user data and the browser's `mobile` 0 can be registered."""
    for name, fields in [("Жанна-名前", {}), ("grace", {"deviceName": "her tablet", "userData": "text"}),
                         ("heidi", {"userData": {"any": [1, None]}}), ("ivan", {"mobile": 0}),
                         ("judy", {"mobile": "1"})]:
        user, code = invited(mpind, name)
        user.register(PIN, activateCode=code, **fields)
        equal(json.loads(user.identity)["userID"], user.user_id)
        equal(json.loads(user.identity)["mobile"], int(fields.get("mobile", 1)))
        status(user.log_in(PIN), 200)


def test_restarted(mpind):
    """A repeated registration keeps its identity and its regOTT, and survives a restart of the server."""
    user, code = invited(mpind, "karl")
    before = status(user.start(activateCode=code), 200).json
    mpind.restart()
    after = status(user.start(restart=True, activateCode=code), 200).json
    equal([after[key] for key in ("mpinId", "regOTT", "active")],
          [before[key] for key in ("mpinId", "regOTT", "active")])
    status(user.confirm(), 200)
    mpind.restart()
    user.finish(PIN)
    status(user.log_in(PIN), 200)


@pytest.mark.mpind(registration="confirm")
def test_confirmed(mpind):
    """If an administrator has to confirm, a registration waits, also through a restart, and continues."""
    user = client(mpind, "alice")
    equal(status(user.start(), 200).json["active"], False)
    status(user.confirm(), 401)
    before = user.mpin_id, user.reg_ott
    equal(status(user.start(restart=True), 200).json["active"], False)
    equal((user.mpin_id, user.reg_ott), before)
    mpind.restart()
    status(user.confirm(), 401)
    mpind.user("confirm", user.user_id, "--id", user.hash)
    status(user.confirm(), 200)
    user.finish(PIN)
    status(user.log_in(PIN), 200)


@pytest.mark.mpind(registration="confirm")
def test_wrong_ott(mpind):
    """A wrong regOTT neither repeats nor ends a registration."""
    user = client(mpind, "bob")
    status(user.start(), 200)
    mine, user.reg_ott = (user.mpin_id, user.reg_ott), "0" * 32
    status(user.start(restart=True), 200)
    assert user.mpin_id != mine[0]
    (user.mpin_id, user.reg_ott), wrong = mine, "0" * 32
    status(user.wire.get(f"{user.settings['signatureURL']}/{user.mpin_id}?regOTT={wrong}"), 401)
    mpind.user("confirm", user.user_id, "--id", user.hash)
    status(user.confirm(), 200)
