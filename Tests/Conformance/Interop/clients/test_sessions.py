# SPDX-License-Identifier: Apache-2.0
# Logins to a browser by access number and by QR code, and the block that Milagro's clients know.
import os
import re
import time
import pytest

from concurrent.futures import ThreadPoolExecutor

from support import curve, equal, matching, status
from support.milagro import Browser, good, number_is_whole
from test_registration import HEX32, PIN, registered

COMPAT = {"profile": "compat"}
POLL = ["authOTT", "redirectURL", "status", "statusCode", "userId"]
NUMBER = re.compile("[0-9]{6}[1-9]")


def browser(mpind):
    return Browser(mpind.wire())


def number(mpind):
    page = browser(mpind)
    page.asks_number()
    return page


def until(page, wanted, seconds=60):
    """Polls as a browser does, until the session has this status."""
    end = time.monotonic() + seconds
    while (said := page.polls())["status"] != wanted:
        assert time.monotonic() < end, f"never {wanted}: {said}"
        time.sleep(0.05)
    return said


def approved(user, page):
    """A device that proves its user for this session while the browser polls and redeems: the last answers of
    both."""
    with ThreadPoolExecutor(1) as pool:
        device = pool.submit(user.redeem_elsewhere, user.prove(PIN, wid=page.wid))
        said = until(page, "authenticate")
        redeemed = page.redeems(said["authOTT"])
        return device.result(), redeemed


@pytest.mark.mpind(**COMPAT)
def test_issued(mpind):
    """A browser gets a number of seven digits with a right checksum, and polls until it expires."""
    page = browser(mpind)
    said = page.asks_number()
    assert number_is_whole(matching(said["accessNumber"], NUMBER)), said
    matching(said["webOTT"], HEX32)
    equal(said["localTimeEnd"] - said["localTimeStart"], 1000 * said["ttlSeconds"])
    polled = page.polls()
    equal((sorted(polled), polled["status"], polled["authOTT"], polled["userId"]), (POLL, "new", "", ""))
    page.web_ott = "0" * 32
    equal(page.polls()["status"], "expired")
    for body in b"", b"{", {}, {"webOTT": 1}:
        status(page.wire.post(page.settings["accessNumberURL"], body), 400)


@pytest.mark.mpind(**COMPAT)
def test_by_number(mpind):
    """A user who proves their PIN for a number logs the browser in, once, and may log it out from the
    device."""
    user, page = registered(mpind, "alice"), number(mpind)
    device, redeemed = approved(user, page)
    status(redeemed, 200)
    said = status(device, 200).json
    equal(sorted(said), ["logoutData", "logoutURL"])
    status(user.wire.post(said["logoutURL"], said["logoutData"]), 200)


@pytest.mark.mpind(**COMPAT)
def test_number_once(mpind):
    """The authOTT of a browser's session is redeemed once."""
    user, page = registered(mpind, "bob"), number(mpind)
    with ThreadPoolExecutor(1) as pool:
        device = pool.submit(user.redeem_elsewhere, user.prove(PIN, wid=page.wid))
        said = until(page, "authenticate")
        equal([page.redeems(said["authOTT"]).status for _ in range(3)], [200, 408, 408])
        status(device.result(), 200)


@pytest.mark.mpind(**COMPAT)
def test_wrong_for_number(mpind):
    """A wrong PIN is answered only to the device, and the browser's polls do not show it."""
    user, page = registered(mpind, "carol"), number(mpind)
    status(user.redeem_elsewhere(user.prove("1235", wid=page.wid)), 401)
    equal(page.polls()["authOTT"], "")
    device, redeemed = approved(user, page)
    equal((device.status, redeemed.status), (200, 200))


@pytest.mark.mpind(**COMPAT)
def test_garbage_first(mpind):
    """An invalid proof for a number, sent before its user's, does not log in and does no harm."""
    user, mallory, page = registered(mpind, "dave"), registered(mpind, "mallory"), number(mpind)
    good(mallory.permit())
    begun, y = mallory.pass1(PIN)
    body = {**mallory.answer(begun, y, page.wid), "V": curve.encode(begun.u)}
    stolen = good(mallory.pass2(body)).json
    device, redeemed = approved(user, page)
    equal((device.status, redeemed.status), (200, 200))
    status(mallory.redeem_elsewhere(stolen), 412)
    status(mallory.redeem(stolen), 408)


@pytest.mark.mpind(**COMPAT)
def test_unknown_number(mpind):
    """A right PIN for an unknown number answers 412, and 408 in another session."""
    user = registered(mpind, "erin")
    said = user.prove(PIN, wid="3232212")
    status(user.redeem_elsewhere(said), 412)
    status(user.redeem(user.prove(PIN, wid="3232212")), 408)
    for body in b"", b"{", {}, {"mpinResponse": {}}:
        status(user.wire.post(user.settings["mobileAuthenticateURL"], body), 400)


@pytest.mark.long("Tests/Unit/ServerTests/Applications/BrowserTests.swift: a device whose browser never "
                  "comes gets 408, and the login stays valid")
@pytest.mark.mpind(**COMPAT)
def test_late_browser(mpind):
    """A device that waits ten seconds for its browser gets 408, and the login remains valid."""
    user, page = registered(mpind, "frank"), number(mpind)
    status(user.redeem_elsewhere(user.prove(PIN, wid=page.wid)), 408)
    status(page.redeems(until(page, "authenticate")["authOTT"]), 200)


@pytest.mark.mpind(**COMPAT, icon_url="/icon.png")
def test_by_qr_code(mpind):
    """A QR code's session shows its browser that it was scanned, that a user was chosen, and their login."""
    user, page = registered(mpind, "grace"), browser(mpind)
    page.asks_qr_code("a-preroll-id")
    matching(page.wid, HEX32)
    equal(page.polls()["status"], "new")
    said = status(page.tells("wid"), 200).json
    here = f"browser on browser, from local:{os.getuid()}"
    for old, new, value in [("PrerollId", "prerollId", "a-preroll-id"),
                            ("AppLogoUrl", "appLogoURL", "/icon.png"), ("AppName", "appName", here)]:
        equal((said[old], said[new]), (value, value))
    equal(page.polls()["status"], "wid")
    status(page.tells("user", userId=user.user_id), 200)
    # mpind names the user only after the proof; Milagro's server names them here.
    equal(page.polls()["status"], "user")
    device, redeemed = approved(user, page)
    equal((device.status, redeemed.status), (200, 200))


@pytest.mark.mpind(**COMPAT)
def test_unknown_qr_code(mpind):
    """A look-up of an unknown session reveals nothing; a request without a status is refused."""
    page = browser(mpind)
    page.asks_qr_code()
    page.wid = "0" * 32
    equal(status(page.tells("wid"), 200).json, {"Status": "OK"})
    for body in b"", b"{", {}, {"wid": page.wid}:
        status(page.wire.post(page.settings["codeStatusURL"], body), 400)


@pytest.mark.mpind(**COMPAT)
def test_nul_preroll(mpind):
    """A preroll id with a NUL is refused."""
    page = browser(mpind)
    status(page.wire.post(page.settings["getQrUrl"], {"prerollid": "x\x00"}), 400)


@pytest.mark.mpind(**COMPAT)
def test_blocked(mpind):
    """The third wrong PIN in a row answers 410, and so does the right one, until `unlock`."""
    user = registered(mpind, "ivan")
    equal([user.log_in(pin).status for pin in ("1", "2", PIN, "3", "4", "5", PIN)],
          [401, 401, 200, 401, 401, 410, 410])
    mpind.restart()
    equal(user.log_in(PIN).status, 410)
    mpind.user("unlock", user.user_id)
    equal(user.log_in(PIN).status, 200)


@pytest.mark.mpind(**COMPAT)
def test_blocked_on_device(mpind):
    """Wrong PINs for a browser's number count with the others."""
    user, page = registered(mpind, "judy"), number(mpind)
    equal([user.redeem_elsewhere(user.prove(pin, wid=page.wid)).status for pin in ("1", "2", "3", PIN)],
          [401, 401, 410, 410])


SHOP = "https://shop.example.org"


@pytest.mark.mpind(**COMPAT, tcp=True, allow_origin=SHOP)
def test_other_site(mpind):
    """A page of an allowed site may send what the server's own pages send; one of another site is refused."""
    def asks(origin, method, path, body=None, **headers):
        wire = mpind.wire(**({"Origin": origin} if origin else {}), **headers)
        return wire.call(method, path, body)
    def allowed(answer):
        return {name.lower(): value for name, value in answer.headers.items()
                if name.lower().startswith("access-control-")}
    for origin in SHOP, mpind.public:
        before = asks(origin, "OPTIONS", "/rps/getAccessNumber", Access_Control_Request_Method="POST")
        said = allowed(status(before, 200))
        equal(said["access-control-allow-origin"], origin)
        equal(said["access-control-allow-methods"], "GET,PUT,POST,OPTIONS")
        assert "access-control-allow-credentials" not in said, said
        for answer in (asks(origin, "GET", "/rps/clientSettings"),
                       asks(origin, "POST", "/rps/getAccessNumber", b"")):
            equal(allowed(status(answer, 200))["access-control-allow-origin"], origin)
            assert "Origin" in (answer.headers["Vary"] or ""), answer.headers.items()
    for origin in ("https://evil.example", "null", SHOP + ".evil.example", "http://shop.example.org",
                   SHOP + ":8443"):
        for answer in (asks(origin, "OPTIONS", "/rps/getAccessNumber", Access_Control_Request_Method="POST"),
                       asks(origin, "GET", "/rps/clientSettings"),
                       asks(origin, "POST", "/rps/getAccessNumber", b"")):
            equal((status(answer, 403).status, allowed(answer)), (403, {}))
    equal(allowed(status(asks(None, "GET", "/rps/clientSettings"), 200)), {})


@pytest.mark.mpind(**COMPAT, tcp=True)
def test_no_other_site(mpind):
    """If no site is allowed, every other one is refused."""
    wire = mpind.wire(Origin=SHOP)
    for answer in wire.get("/rps/clientSettings"), wire.call("OPTIONS", "/rps/getAccessNumber"):
        equal(status(answer, 403).headers["Access-Control-Allow-Origin"], None)
