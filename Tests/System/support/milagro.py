# SPDX-License-Identifier: Apache-2.0
# A client of Milagro's protocol 0.3, and the browser beside it, as docs/protocol/milagro-0.3.md specifies
# them.
import time

from support import curve, proof, tags
from support.wire import Unexpected

SESSION_HERE = "0"


def good(answer):
    """The answer, if its status is 200."""
    if answer.status != 200:
        raise Unexpected(repr(answer))
    return answer


def number_is_whole(number):
    """The check of the C++ core: seven digits, the last computed from the six before."""
    if len(number) != 7 or not number.isascii() or not number.isdigit():
        return False
    total = sum(weight * int(digit) for weight, digit in zip(range(7, 1, -1), number))
    return (11 - total % 11) % 11 % 10 == int(number[6])


class Client:
    """One user of one backend; the attributes are what the core keeps in its two stores."""

    def __init__(self, wire, user_id):
        self.wire, self.user_id = wire, user_id
        self.mpin_id = self.reg_ott = self.token = None
        self.shares, self.cached = [], {}
        self.bound, self.device_key = False, None
        self.settings = good(wire.get("/rps/clientSettings")).json

    @property
    def identity(self):
        """The octets of the identity, exactly as they came."""
        return bytes.fromhex(self.mpin_id)

    @property
    def hash(self):
        """hash_mpin_id, by which the authorities and administrators identify it."""
        return curve.identity_hash(self.identity).hex()

    def start(self, restart=False, **fields):
        """PUT user: begins a registration; with `restart`, repeats the request of one that was begun."""
        url, body = self.settings["registerURL"], {"userId": self.user_id, "mobile": 1, **fields}
        if restart:
            url, body = f"{url}/{self.mpin_id}", {**body, "regOTT": self.reg_ott}
        answer = self.wire.put(url, body)
        if answer.status == 200:
            self.mpin_id, self.reg_ott = answer.json["mpinId"], answer.json["regOTT"]
            self.bound = answer.json.get("bound", False)
        return answer

    def confirm(self, push=None):
        """GET signature and the second authority's share: the answer that refused, or else the last one."""
        more = f"&pmiToken={push}" if push else ""
        query = f"{self.mpin_id}?regOTT={self.reg_ott}{more}"
        first = self.wire.get(f"{self.settings['signatureURL']}/{query}")
        if first.status != 200:
            return first
        second = self.wire.get(f"{self.settings['certivoxURL']}clientSecret?{first.json['params']}")
        if second.status == 200:
            self.shares = [first.json["clientSecretShare"], second.json["clientSecret"]]
            if self.bound:
                self.device_key = bytes.fromhex(first.json["deviceKey"])
        return second

    def finish(self, pin):
        """Computes the token; shares and regOTT are dropped afterwards."""
        secret = proof.recombine(*self.shares)
        self.token = proof.token(self.identity, secret, proof.pin_number(pin))
        self.shares, self.reg_ott = [], None

    def register(self, pin, **fields):
        good(self.start(**fields))
        good(self.confirm())
        self.finish(pin)
        return self

    def permit(self):
        """Today's permit by the server's date: the answer that refused, or else the first one."""
        first = self.wire.get(f"{self.settings['timePermitsURL']}/{self.mpin_id}")
        if first.status != 200:
            return first
        said = first.json
        if self.cached.get("date") != said["date"]:
            query = f"hash_mpin_id={said['storageId']}&app_id={self.settings['appID']}&mobile=1"
            query += f"&signature={said['signature']}"
            second = self.wire.get(f"{self.settings['certivoxURL']}timePermit?{query}")
            if second.status != 200:
                return second
            self.cached = {"date": said["date"], "share": second.json["timePermit"]}
        self.today = said["date"], proof.recombine(said["timePermit"], self.cached["share"])
        return first

    def waits(self, off=0, **fields):
        """Asks which logins wait for this device, by a clock that is so many seconds off."""
        now = int(time.time()) + off
        body = {"id": self.hash, "time": now, "deviceTag": tags.waiting(self.device_key, self.hash, now)}
        return self.wire.post("/rps/waiting", {**body, **fields})

    def pass1(self, pin, seen=""):
        """A proof that has begun, and the server's y; `seen` is what the device shows of a login."""
        date, permit = self.today
        begun = proof.Proof(self.identity, self.token, proof.pin_number(pin), permit, date)
        dated = curve.encode(begun.ut) if date else ""
        body = {"pass": 1, "mpin_id": self.mpin_id, "U": curve.encode(begun.u), "UT": dated}
        if seen:
            body["seen"] = seen
        if self.device_key:
            body["deviceTag"] = tags.pass1(self.device_key, self.hash, body["U"], dated, seen)
        said = good(self.wire.post(self.settings["mpinAuthServerURL"] + "/pass1", body)).json
        # For a bound identity the server sends the n from which it made y, and expects it back.
        self.n = said.get("n")
        return begun, said["y"]

    def answer(self, begun, y, wid=SESSION_HERE, otp=False):
        """The body of pass 2."""
        body = {"pass": 2, "mpin_id": self.mpin_id, "WID": wid, "OTP": otp,
                "V": curve.encode(begun.answer(int(y, 16)))}
        if self.device_key:
            body["n"] = self.n
            body["deviceTag"] = tags.pass2(self.device_key, self.hash, self.n, y, body["V"], wid, otp)
        return body

    def pass2(self, body):
        return self.wire.post(self.settings["mpinAuthServerURL"] + "/pass2", body)

    def prove(self, pin, wid=SESSION_HERE, otp=False, permit=True):
        """The permit, if one is needed, and both passes: the answer to pass 2, whatever the verdict."""
        if permit:
            good(self.permit())
        else:
            self.today = 0, None
        return good(self.pass2(self.answer(*self.pass1(pin), wid, otp))).json

    def redeem(self, said):
        """Redeems a login in this client's own session: the verdict."""
        return self.wire.post(self.settings["authenticateURL"], {"mpinResponse": said})

    def redeem_elsewhere(self, said):
        """Redeems a login in a browser's session: the answer may wait for the browser."""
        return self.wire.post(self.settings["mobileAuthenticateURL"], {"mpinResponse": said})

    def log_in(self, pin, otp=False, permit=True):
        return self.redeem(self.prove(pin, otp=otp, permit=permit))


class Browser:
    """The page that shows an access number or a QR code, and polls until a user has logged in."""

    def __init__(self, wire):
        self.wire = wire
        self.settings = good(wire.get("/rps/clientSettings")).json

    def asks_number(self):
        said = good(self.wire.post(self.settings["getAccessNumberURL"], b"")).json
        self.web_ott, self.wid = said["webOTT"], said["accessNumber"]
        return said

    def asks_qr_code(self, preroll=""):
        said = good(self.wire.post(self.settings["getQrUrl"], {"prerollid": preroll})).json
        self.web_ott, self.wid = said["webOTT"], said["qrUrl"].rpartition("#")[2]
        return said

    def polls(self):
        return good(self.wire.post(self.settings["accessNumberURL"], {"webOTT": self.web_ott})).json

    def tells(self, status, **fields):
        """Reports the status that a device sets for this session."""
        return self.wire.post(self.settings["codeStatusURL"], {"status": status, "wid": self.wid, **fields})

    def redeems(self, auth_ott):
        return self.wire.post(self.settings["authenticateURL"], {"mpinResponse": {"authOTT": auth_ott}})
