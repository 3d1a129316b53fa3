# SPDX-License-Identifier: Apache-2.0
# One-time passwords, and authorization codes for applications.
import re
import pytest

from concurrent.futures import ThreadPoolExecutor
from support import equal, matching, status
from support.milagro import good
from urllib.parse import urlsplit

from test_registration import PIN, client, registered

SIX = re.compile("[0-9]{6}")
REDIRECT = "https://app.example.org/back"


@pytest.mark.mpind(request_otp="yes")
def test_otp_wanted(mpind):
    """With OTP requested the answer has six digits, and the granted verdict their life in milliseconds."""
    user = registered(mpind, "alice")
    equal(user.settings["requestOTP"], True)
    for asked in True, 1:
        said = user.prove(PIN, otp=asked)
        matching(said["OTP"], SIX)
        life = status(user.redeem(said), 200).json
        equal(life["expireTime"] - life["nowTime"], 1000 * life["ttlSeconds"])
        assert life["ttlSeconds"] > 0, life


@pytest.mark.mpind(request_otp="yes")
def test_otp_for_wrong(mpind):
    """A wrong PIN also gets six digits, but no life."""
    user = registered(mpind, "bob")
    said = user.prove("1235", otp=True)
    matching(said["OTP"], SIX)
    status(user.redeem(said), 401)


@pytest.mark.mpind(request_otp="yes")
def test_otp_unwanted(mpind):
    """Without OTP requested the answer has none."""
    user = registered(mpind, "carol")
    for asked in False, 0:
        said = user.prove(PIN, otp=asked)
        assert "OTP" not in said, said
        status(user.redeem(said), 200)


def application(mpind, name):
    """The client id of a registered application, its connection, and the path of its authorize URL."""
    number = mpind.app("add", name, "--redirect", REDIRECT)["clientId"]
    wire = mpind.wire(X_MIRACL_Client_ID=number)
    url = urlsplit(good(wire.post("/authzurl", {})).json["authorizeURL"])
    return number, wire, f"{url.path}?{url.query}"


def granted(mpind, name, number):
    """A user whose app sends the client id, and the code of their login."""
    user = registered(mpind, name, X_MIRACL_Client_ID=number)
    return user, status(user.log_in(PIN), 200).json["code"]


@pytest.mark.mpind(tcp=True)
def test_authorize(mpind):
    """An application's session opens only with its exact redirect address."""
    _, wire, path = application(mpind, "one")
    said = status(wire.post(path, b""), 200).json
    equal(sorted(said), ["accessURL", "qrURL", "webOTT"])
    matching(said["qrURL"].rpartition("#")[2], re.compile("[0-9a-f]{32}"))
    for other in path.replace("back", "forth"), path.replace("client_id=", "client_id=0"), path.split("?")[0]:
        status(wire.post(other, b""), 400)


@pytest.mark.mpind(tcp=True)
def test_authorization_code(mpind):
    """A login with an application's client id gets a code, which is valid once and only for its user."""
    number, wire, _ = application(mpind, "two")
    user, code = granted(mpind, "alice", number)
    body = {"code": code, "userID": user.user_id}
    equal([wire.post("/authtoken", body).status for _ in range(3)], [200, 401, 401])
    user, code = granted(mpind, "bob", number)
    for name in "alice@example.org", user.user_id:
        status(wire.post("/authtoken", {"code": code, "userID": name}), 401)


@pytest.mark.mpind(tcp=True)
def test_code_at_once(mpind):
    """Of many parallel requests with one code exactly one succeeds."""
    number, wire, _ = application(mpind, "four")
    user, code = granted(mpind, "dave", number)
    body = {"code": code, "userID": user.user_id}
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda _: wire.post("/authtoken", body).status, range(64)))
    equal(sorted(answers), [200] + [401] * 63)


@pytest.mark.mpind(tcp=True)
def test_no_code(mpind):
    """Neither a wrong PIN nor an unregistered application gets a code."""
    number, wire, _ = application(mpind, "three")
    user = registered(mpind, "carol", X_MIRACL_Client_ID=number)
    assert b"code" not in status(user.log_in("1235"), 401).body
    stranger = client(mpind, "nobody", X_MIRACL_Client_ID="0" * 32)
    status(stranger.wire.post("/authtoken", {"code": "0" * 32, "userID": user.user_id}), 400)
    for body in b"", b"{", {}, {"code": 1, "userID": 2}:
        status(wire.post("/authtoken", body), 400)
