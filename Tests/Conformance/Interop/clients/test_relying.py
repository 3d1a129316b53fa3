# SPDX-License-Identifier: Apache-2.0
# Flows in which an external application decides about registrations and logins.
import re

import pytest

from relying import LOGOUT
from support import equal, matching, status
from test_registration import PIN, client
from test_sessions import approved, number

PARTY = {"profile": "compat", "party": True}
SIXTY_FOUR = re.compile("[0-9a-f]{64}")


def forced(mpind, count):
    return client(mpind, f"forced{count}").register(PIN)


@pytest.mark.mpind(**PARTY)
def test_forced_registration(mpind):
    """A user whom the application activates at once registers and logs in, and three wrong PINs block
    them."""
    user = forced(mpind, 1)
    equal(status(user.log_in(PIN), 200).json, {"user": user.user_id})
    equal([user.log_in(pin).status for pin in ("1", "2", "3", PIN)], [401, 401, 410, 410])


@pytest.mark.mpind(**PARTY)
def test_told_password(mpind):
    """The application gets the one-time password that its user was shown, but only with a granted login."""
    user = forced(mpind, 9)
    said = user.prove(PIN, otp=True)
    equal(status(user.redeem(said), 200).json, {"user": user.user_id, "otp": said["OTP"]})
    wrong = user.redeem(user.prove("1", otp=True))
    assert status(wrong, 401).json.get("OTP") is None, wrong.json


@pytest.mark.mpind(**PARTY)
def test_verified_registration(mpind):
    """A user whom the application verifies waits until it has sent the activation key of their
    registration."""
    user = client(mpind, "verified", x_of_app="a header", x_other="another")
    equal(status(user.start(deviceName="tablet", userData={"a": 1}), 200).json["active"], False)
    said, headers = mpind.party.asked[user.user_id]
    equal([said[key] for key in ("userId", "mpinId", "mobile", "resend", "deviceName", "userData")],
          [user.user_id, user.mpin_id, 1, False, "tablet", {"a": 1}])
    equal((headers["X-Of-App"], headers["X-Other"]), ("a header", None))
    assert headers["RPS-BASE-URL"] and said["expireTime"].endswith("Z"), said
    status(user.confirm(), 401)
    mpind.party.activate(user.mpin_id, "0" * 64)
    status(user.confirm(), 401)
    mpind.restart()
    status(mpind.party.activate(user.mpin_id, matching(said["activateKey"], SIXTY_FOUR)), 200)
    status(user.confirm(), 200)
    user.finish(PIN)
    status(user.log_in(PIN), 200)
    status(mpind.party.activate(user.mpin_id, said["activateKey"]), 401)


@pytest.mark.mpind(**PARTY)
def test_asked_again(mpind):
    """A repeated registration is sent to the application once more, with the same key."""
    user = client(mpind, "again")
    status(user.start(), 200)
    (first, _), before = mpind.party.asked[user.user_id], user.mpin_id
    status(user.start(restart=True), 200)
    second, _ = mpind.party.asked[user.user_id]
    equal((second["mpinId"], second["activateKey"], second["resend"]), (before, first["activateKey"], True))


@pytest.mark.mpind(**PARTY)
def test_refused_registration(mpind):
    """A registration that the application refuses gets its status; with a broken application it gets 500."""
    for name, wanted in ("refused", 403), ("broken", 500), ("junk", 500):
        status(client(mpind, name).start(), wanted)


@pytest.mark.mpind(**PARTY)
def test_denied_permit(mpind):
    """A user whom the application denies permits gets 410, and logs in again when permits are allowed
    again."""
    user = forced(mpind, 2)
    mpind.party.denied.add(user.user_id)
    status(user.permit(), 410)
    mpind.party.denied.clear()
    status(user.log_in(PIN), 200)


@pytest.mark.mpind(**PARTY)
def test_browser_of_party(mpind):
    """After a browser has logged in at the application, its device gets the data to log out."""
    user, page = forced(mpind, 3), number(mpind)
    device, redeemed = approved(user, page)
    equal(status(redeemed, 200).json, {"user": user.user_id})
    equal(status(device, 200).json, {"logoutURL": "/bye", "logoutData": LOGOUT})


@pytest.mark.mpind(**PARTY)
def test_refused_login(mpind):
    """A login that the application refuses is refused at the device too, with the same status."""
    user, page = forced(mpind, 4), number(mpind)
    mpind.party.refusal = 403
    try:
        device, redeemed = approved(user, page)
    finally:
        mpind.party.refusal = None
    equal((device.status, redeemed.status), (403, 403))


@pytest.mark.mpind(**PARTY)
def test_party_alone(mpind):
    """The application's requests are accepted only on its own listener, which has no other paths."""
    for path in "/authenticate", "/loginResult", f"/user/{'7b7d'}":
        status(mpind.wire().post(path, {}), 404)
    status(mpind.party.rps.get("/rps/clientSettings"), 404)
    status(mpind.party.rps.post("/authenticate", {"authOTT": "0" * 32}), 408)
    for body in b"", b"{", {}:
        status(mpind.party.rps.post("/authenticate", body), 400)
