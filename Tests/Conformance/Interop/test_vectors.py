# SPDX-License-Identifier: Apache-2.0
# The client's arithmetic compared with values of the deployed libraries.
import json

from support import curve, equal, proof, read
from support.milagro import number_is_whole


def vectors(name):
    return json.loads(read(f"Tests/Conformance/Vectors/{name}.json"))


def point(text):
    return curve.decode(text) if text else None


def test_whole_login():
    """A registration and a login with fixed randomness have every value of the deployed library."""
    said = vectors("milagro-login")
    identity, pin = said["mpin_id"].encode(), proof.pin_number(said["pin_string"])
    equal((identity.hex(), curve.identity_hash(identity).hex(), pin),
          (said["mpin_id_hex"], said["hash_mpin_id"], said["pin_int"]))
    secret = proof.recombine(said["client_secret_share1"], said["client_secret_share2"])
    permit = proof.recombine(said["time_permit_share1"], said["time_permit_share2"])
    token = proof.token(identity, secret, pin)
    equal([curve.encode(value) for value in (secret, permit, token)],
          [said["client_secret"], said["time_permit"], said["token"]])
    for name, tried, date in [("login_permit_good", pin, said["date"]), ("login_nopermit_good", pin, 0),
                              ("login_permit_wrong_pin_9445", 9445, said["date"])]:
        made = proof.Proof(identity, token, tried, permit, date, int(said["x"], 16))
        values = made.u, made.ut, made.secret, made.answer(int(said["y"], 16))
        equal([value and curve.encode(value) for value in values],
              [said[name][key] for key in ("U", "UT", "SEC", "V")], name)


def test_hashing():
    """Identities and dates are hashed to the points of the deployed library."""
    for case in vectors("bn254cx-hash-to-g1")["vectors"]:
        identity = bytes.fromhex(case["id"])
        equal(curve.encode(curve.identity_point(identity)), case["point"], case["name"])
        for dated in case["dated"]:
            own = curve.dated_point(identity, dated["date"])
            equal(curve.encode(own), dated["point"], case["name"])
            equal(curve.encode(curve.add(curve.identity_point(identity), own)), dated["HTID"], case["name"])


def test_tokens():
    """Tokens of every PIN are those of the deployed library, including negative numbers of the core's
    rule."""
    said = vectors("bn254cx-tokens")
    for case in said["vectors"]:
        kept = proof.token(bytes.fromhex(case["id"]), curve.decode(case["client_secret"]), case["pin"])
        equal(curve.encode(kept), case["token_4_digit_build"], case["pin"])
    for case in said["native_sdk_string_pins"]:
        number = proof.pin_number(case["pin_string"])
        equal((number, proof.factor(number)), (case["c_remainder_mod_10000"], case["multiplier_low_14_bits"]),
              case["pin_string"])
        kept = proof.token(bytes.fromhex(case["id"]), curve.decode(case["client_secret"]), number)
        equal(curve.encode(kept), case["token"], case["pin_string"])


def test_transcripts():
    """Recorded proofs with right and wrong PINs are computed again, octet by octet."""
    cases = [case for case in vectors("bn254cx-auth")["vectors"]
             if case["name"].startswith(("good", "wrong PIN", "PIN taken", "expired", "x ="))]
    assert len(cases) > 15
    for case in cases:
        made = proof.Proof(bytes.fromhex(case["id"]), curve.decode(case["token"]), case["pin_entered"],
                           point(case["time_permit"]), case["date"], int(case["x"], 16))
        values = made.u, made.ut, made.secret, made.answer(int(case["y"], 16))
        equal([value and curve.encode(value) for value in values],
              [case[key] for key in ("U", "UT", "SEC", "V")], case["name"])


def test_invalid_points():
    """Encodings that are not points of the curve are refused."""
    for case in vectors("bn254cx-invalid")["G1"]:
        try:
            curve.decode(case["input"])
            taken = "accept"
        except ValueError:
            taken = "reject"
        wanted = case["required"].split()[0]
        equal(taken, "accept" if wanted == "sum" else wanted, case["name"])
    good = curve.identity_point(b"")
    equal(curve.add(good, curve.negate(good)), None, "the sum of a point and its opposite")


def test_access_numbers():
    """The check of access numbers accepts issued numbers, and refuses those that differ slightly."""
    issued = ["3232212", "2518074", "4008707"]
    equal([number for number in issued if not number_is_whole(number)], [])
    for number in ["3232213", "3322212", "323221", "32322122", "323221x", "", "３２３２２１２"]:
        assert not number_is_whole(number), number
