# SPDX-License-Identifier: Apache-2.0
# Logins of an unmodified Milagro client: the right PIN, wrong ones, permits, revocation, replays.
import time
import pytest

from concurrent.futures import ThreadPoolExecutor

from support import equal, matching, status
from support.milagro import good
from test_registration import HEX32, PIN, POINT, registered

DAY = 86400


def test_right_and_wrong(mpind):
    """The right PIN is granted, a wrong one answers 401, and a granted login resets the count of wrong
    ones."""
    user = registered(mpind, "alice")
    for pin, wanted in [(PIN, 200), ("1235", 401), ("4321", 401), (PIN, 200), ("1235", 401), (PIN, 200)]:
        answer = status(user.log_in(pin), wanted)
        equal(answer.headers["WWW-Authenticate"], "Authenticate" if wanted == 401 else None)


def test_three_wrong(mpind):
    """The third wrong PIN in a row locks for a while, even the right PIN, until an administrator unlocks."""
    user = registered(mpind, "bob")
    equal([user.log_in(pin).status for pin in ("1", "2", "3", PIN)], [401, 401, 403, 403])
    mpind.restart()
    equal(user.log_in(PIN).status, 403)
    mpind.user("unlock", user.user_id)
    equal(user.log_in(PIN).status, 200)


def test_same_number(mpind):
    """PINs that the core's rule maps to one number log in alike."""
    user = registered(mpind, "trent", pin="0009")
    equal([user.log_in(pin).status for pin in ("1071", "5130", "0010", "0009")], [200, 200, 401, 200])
    user = registered(mpind, "ursula", pin="123456789")
    equal([user.log_in(pin).status for pin in ("123456789", "12345678")], [200, 401])


def test_alike(mpind):
    """Pass 2 answers alike, whatever the PIN: the verdict comes only with the redemption."""
    user = registered(mpind, "carol")
    right, wrong = user.prove(PIN), user.prove("1235")
    for said in right, wrong:
        equal((sorted(said), said["version"], said["pass"]), (["authOTT", "pass", "version"], "0.3", 2))
        matching(said["authOTT"], HEX32)
    equal((user.redeem(wrong).status, user.redeem(right).status), (401, 200))


def test_redeemed_once(mpind):
    """A login is redeemed once, with the whole answer or only its authOTT; an unknown one has expired."""
    user = registered(mpind, "dave")
    said = user.prove(PIN)
    equal([user.redeem({"authOTT": said["authOTT"]}).status, user.redeem(said).status], [200, 408])
    equal(user.redeem({"authOTT": "0" * 32}).status, 408)
    for body in b"", b"{", {}, {"mpinResponse": {}}, {"mpinResponse": 1}:
        status(user.wire.post(user.settings["authenticateURL"], body), 400)


def test_redeemed_at_once(mpind):
    """Of many parallel redemptions of one login exactly one is granted."""
    user = registered(mpind, "xavier")
    said = user.prove(PIN)
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda _: user.redeem(said).status, range(64)))
    equal(sorted(answers), [200] + [408] * 63)


def test_restarted_between(mpind):
    """A server that is restarted between any two requests of a login continues the login."""
    user = registered(mpind, "yvonne")
    mpind.restart()
    good(user.permit())
    mpind.restart()
    begun = user.pass1(PIN)
    mpind.restart()
    said = good(user.pass2(user.answer(*begun))).json
    mpind.restart()
    status(user.redeem(said), 200)


def test_replayed(mpind):
    """A repeated pass 2 gives no second login, and one without a pass 1 gives none."""
    user = registered(mpind, "erin")
    good(user.permit())
    body = user.answer(*user.pass1(PIN))
    first = status(user.pass2(body), 200).json
    for _ in range(2):
        status(user.pass2(body), 403)
    equal(user.redeem(first).status, 200)
    status(user.pass2(body), 403)


def test_replaced(mpind):
    """A new pass 1 replaces the earlier one: an answer to the old y is wrong."""
    user = registered(mpind, "frank")
    good(user.permit())
    old, _ = user.pass1(PIN), user.pass1(PIN)
    equal(user.redeem(user.pass2(user.answer(*old)).json).status, 401)
    status(user.log_in(PIN), 200)


def test_without_permit(mpind):
    """Clients are told to fetch no permit, and a proof without one is accepted."""
    user = registered(mpind, "grace")
    equal(user.settings["usePermits"], False)
    status(user.log_in(PIN, permit=False), 200)
    status(user.log_in("4321", permit=False), 401)
    mpind.user("revoke", user.user_id)
    status(user.log_in(PIN, permit=False), 403)


@pytest.mark.mpind(profile="compat")
def test_permit_needed(mpind):
    """Under Milagro's profile a proof without a permit passes both passes, and is wrong when redeemed."""
    user = registered(mpind, "grace")
    assert "usePermits" not in user.settings
    status(user.log_in(PIN, permit=False), 401)
    status(user.log_in(PIN), 200)


def test_foreign(mpind):
    """Another user's token, or another identity's permit, does not log in."""
    user, other = registered(mpind, "heidi"), registered(mpind, "mallory")
    good(user.permit())
    good(other.permit())
    user.today, kept = other.today, user.today
    status(user.redeem(user.pass2(user.answer(*user.pass1(PIN))).json), 401)
    user.today = kept
    user.token, kept = other.token, user.token
    status(user.log_in(PIN), 401)
    user.token = kept
    status(user.log_in(PIN), 200)


def test_unknown_session(mpind):
    """A login in an unknown session gets 412, whatever its wid."""
    user = registered(mpind, "victor")
    for wid in "1234567", "0" * 32, "", " ", "x" * 64, "\U0001f511":
        status(user.redeem_elsewhere(user.prove(PIN, wid=wid)), 412)
    status(user.log_in(PIN), 200)


def test_nul_session(mpind):
    """A wid that contains a NUL is refused by pass 2."""
    user = registered(mpind, "walter")
    good(user.permit())
    for wid in "\x00", "12345\x0067":
        status(user.pass2(user.answer(*user.pass1(PIN), wid)), 403)


@pytest.mark.mpind(tcp=True)
def test_over_tcp(mpind):
    """Over loopback TCP, by the public address, with an app's own headers, the same flows work."""
    user = registered(mpind, "alice", x_custom="of the app", accept="*/*")
    equal([user.log_in(pin).status for pin in (PIN, "1235")], [200, 401])


def test_permits(mpind):
    """A permit is for the server's day in UTC, half from each authority, and may be fetched again."""
    user = registered(mpind, "ivan")
    before = int(time.time()) // DAY
    said = status(user.permit(), 200).json
    assert before <= said["date"] <= int(time.time()) // DAY, said
    equal((said["storageId"], said["version"], said["message"]),
          (user.hash, "0.3", "M-Pin Time Permit Generated"))
    matching(said["timePermit"], POINT)
    matching(user.cached["share"], POINT)
    assert said["timePermit"] != user.cached["share"], said
    again, user.cached, first = user.permit().json, {}, user.cached
    equal(again["timePermit"], said["timePermit"])
    good(user.permit())
    equal(user.cached, first)


def test_another_day(mpind):
    """A proof for another day than the server's is wrong."""
    user = registered(mpind, "judy")
    good(user.permit())
    date, permit = user.today
    for other in date - 1, date + 1:
        user.today = other, permit
        status(user.redeem(user.pass2(user.answer(*user.pass1(PIN))).json), 401)
    status(user.log_in(PIN), 200)


def test_no_permit(mpind):
    """There is no permit for an identity that is unregistered or malformed."""
    wire = mpind.wire()
    unknown = b'{"mobile": 1, "userID": "nobody", "salt": "00"}'.hex()
    for text in unknown, "7b":
        status(wire.get("/rps/timePermit/" + text), 410)
    for text in "zz", "", "7", "%00", "7b/7b":
        status(wire.get("/rps/timePermit/" + text), 404)


def test_second_authority(mpind):
    """The second authority refuses requests that are incomplete, badly signed or malformed, as protocol 0.3
    says."""
    user = registered(mpind, "karl")
    said, base = good(user.permit()).json, user.settings["certivoxURL"]
    signed = f"hash_mpin_id={said['storageId']}&signature={said['signature']}"
    status(user.wire.get(f"{base}timePermit?{signed}"), 200)
    for query, wanted in [("", 403), ("hash_mpin_id=" + user.hash, 403), (signed[:-1] + "g", 401),
                          (signed.replace("id=", "id=00"), 403),
                          (f"hash_mpin_id=zz&signature={'0' * 64}", 403)]:
        status(user.wire.get(f"{base}timePermit?{query}"), wanted)
    whole = {"app_id": user.settings["appID"], "expires": "2026-01-01T00:00:00Z", "hash_mpin_id": user.hash,
             "hash_user_id": "", "signature": "0" * 64}
    for missing in [*whole, None]:
        query = "&".join(f"{key}={value}" for key, value in whole.items() if key != missing)
        status(user.wire.get(f"{base}clientSecret?{query}"), 403 if missing else 401)
    equal(status(user.wire.get(f"{base}status"), 200).json["service_name"], "D-TA server")
    status(user.wire.get(f"{base}serverSecret?{signed}"), 404)


def test_revoked(mpind):
    """A revoked user gets no permit, and no login with an earlier permit."""
    user = registered(mpind, "leo")
    status(user.log_in(PIN), 200)
    said = user.prove(PIN)
    mpind.user("revoke", user.user_id)
    status(user.permit(), 410)
    status(user.redeem(said), 403)
    status(user.redeem(user.pass2(user.answer(*user.pass1(PIN))).json), 403)
    status(user.wire.get(f"{user.settings['certivoxURL']}timePermit?hash_mpin_id={user.hash}&signature=00"),
           401)
