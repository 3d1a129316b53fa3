# SPDX-License-Identifier: Apache-2.0
# Valid values for the fuzzer: a user and their proofs, a host's sealed questions, values of the server's
# answers.
import collections
import re
import time

from support import curve, seal
from support.milagro import Client, good

HOST = "fuzz-host"
REDIRECT = "https://app.example.org/back"
PIN = "1234"
KEPT = 16
POINTS = 16


class Secrets:
    """The server's secrets, read from its folder, with which the fuzzer makes valid seals and signatures."""

    def __init__(self, mpind):
        with open(f"{mpind.home}/data/server", encoding="utf-8") as file:
            said = dict(line.rstrip("\n").split(" = ", 1) for line in file)
        self.client_id = mpind.app("add", "an application", "--redirect", REDIRECT)["clientId"]
        self.app_id, self.app_key = said["app-id"], said["app-key"].encode()
        self.host_key = mpind.host(HOST)

    def signature(self, *parts):
        return seal.mac(self.app_key, "".join(parts).encode()).hex()

    def question(self, identities, service="sshd"):
        """A login host's question about these hashes, its tag, and A."""
        question = seal.question(HOST, identities, service, "alice", "203.0.113.9")
        return {**seal.asks(question, self.host_key), "A": seal.number_of(question).hex()}


class World:
    """One worker's user, and the last values of each name from the server's answers."""

    def __init__(self, mpind, secrets, name, random):
        self.mpind, self.secrets, self.name, self.random = mpind, secrets, name, random
        self.proofs = self.users = 0
        self.said = collections.defaultdict(lambda: collections.deque(maxlen=KEPT))
        self.said["clientId"].append(secrets.client_id)
        self.friend = self.registered("friend")
        self.renew()

    def renew(self):
        """A new user with a used and an unused code, because wrong tries have locked the earlier user."""
        self.users += 1
        self.client = self.registered(self.users)
        self.user_id = self.client.user_id
        self.code = self.mpind.user("add", self.user_id)["activationCode"]
        self.permit = good(self.client.permit()).json
        point = curve.identity_point(self.client.identity)
        self.points = [curve.encode(curve.multiply(self.random.getrandbits(250) + 1, point))
                       for _ in range(POINTS if self.users == 1 else 4)]

    def registered(self, name):
        user_id = f"{self.name}-{name}@example.org"
        code = self.mpind.user("add", user_id)["activationCode"]
        return Client(self.mpind.honest(), user_id).register(PIN, activateCode=code)

    def hears(self, body):
        """Keeps values from an answer: authOTT, webOTT, regOTT, n and others."""
        for name, value in re.findall(rb'"(\w+)":"([0-9A-Za-z]+)"', body):
            self.said[name.decode()].append(value.decode())

    def last(self, *names, digits=32):
        """A value of one of these names, the newest as often as an older one, or random digits."""
        known, kind = [value for name in names for value in self.said[name]], self.random.random()
        if known and kind < 0.9:
            return known[-1] if kind < 0.45 else self.random.choice(known)
        return f"{self.random.getrandbits(4 * digits):0{digits}x}"

    def mpin_id(self):
        others = list(self.said["mpinId"])
        if others and self.random.random() < 0.2:
            return self.random.choice(others)
        return self.client.mpin_id

    def point(self):
        return self.random.choice(self.points)

    def question(self, *service):
        if self.random.random() < 0.1:
            return {name: f"{self.random.getrandbits(256):064x}" for name in ("ask", "askTag", "A")}
        said = self.secrets.question([self.client.hash] * self.random.choice([0, 1, 1, 1, 2]), *service)
        self.said["A"].append(said["A"])
        return said

    def pass2(self):
        """A pass 2: half of them with a proof that would be granted, the others with a random point."""
        body = {"pass": 2, "mpin_id": self.client.mpin_id, "WID": "0", "OTP": False, "V": self.point()}
        if self.random.random() < 0.5:
            begun, y = self.client.pass1(PIN)
            body["V"] = curve.encode(begun.answer(int(y, 16)))
            self.proofs += 1
        return body

    def proved(self):
        """The pass 2 of a valid login by another user."""
        self.proofs += 1
        said = self.friend.prove(PIN, otp=self.random.random() < 0.5)
        self.said["authOTT"].append(said["authOTT"])
        return said

    def activate_key(self):
        """The activation key that the application got for this user's last registration."""
        asked = self.mpind.party and self.mpind.party.asked.get(self.user_id)
        return asked[0]["activateKey"] if asked else self.last("activateKey", digits=64)

    def expires(self):
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 60))
