# SPDX-License-Identifier: Apache-2.0
# Guesses a PIN with a stolen token: `guesser.py`, which reads JSON from one line of its standard input.
#
# The JSON has `address`, a server; `stolen`, the lines of a token file; `pin`, the right PIN; and `guesses`,
# a list of [source, offset, key]: the address that the guess comes from, the distance from the right PIN's
# factor (0: the right PIN), and the device key that tags it (null: no tag). Each guess is a whole login: pass
# 1, pass 2 and the redemption, and 64 of them run at a time. The program repeats the list until its standard
# input ends; it prints `here` when the first 64 are answered. At the end it prints the status and the
# `triesLeft` of every answer, in the order in which they came.
import copy
import hashlib
import itertools
import json
import os
import select
import sys
import threading
import traceback

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

from support import curve  # noqa: E402
from support.milagro import Client, good  # noqa: E402
from support.wire import Wire  # noqa: E402

AT_A_TIME = 64


class Untagged(Wire):
    """Removes the device tag from every request."""

    def call(self, method, path, body=None, headers=()):
        if isinstance(body, dict):
            body = {key: value for key, value in body.items() if key != "deviceTag"}
        return super().call(method, path, body, headers)


def right_factor(rule, pin):
    """The factor that our clients make of a PIN."""
    name, *numbers, salt = rule.split()
    assert name == "scrypt", rule
    n, r, p = map(int, numbers)
    stretched = hashlib.scrypt(
        pin.encode(), salt=bytes.fromhex(salt), n=n, r=r, p=p, dklen=48, maxmem=1 << 26)
    return int.from_bytes(stretched, "big") % curve.R


class Guesser:
    def __init__(self, task):
        stolen, self.guesses = task["stolen"], task["guesses"]
        self.address = task["address"]
        self.client = Client(Wire(self.address, source=self.guesses[0][0]), "")
        self.client.mpin_id = stolen["mpin-id"]
        self.factor = right_factor(stolen["pin-rule"], task["pin"])
        self.token = curve.decode(stolen["token"])
        good(self.client.permit())
        self.numbers, self.answers = itertools.count(), []
        self.lock = threading.Lock()

    def guess(self, source, offset, key):
        """One login: the status and the `triesLeft` of its redemption."""
        client = copy.copy(self.client)
        client.wire = (Wire if key else Untagged)(self.address, source=source)
        client.device_key = bytes.fromhex(key or "00" * 32)
        part = curve.multiply(self.factor + offset, curve.identity_point(client.identity))
        client.token = curve.add(self.token, part)
        # The token already contains its PIN's part; the empty PIN has the factor 0.
        answer = client.redeem(good(client.pass2(client.answer(*client.pass1("")))).json)
        return answer.status, answer.json.get("triesLeft")

    def work(self):
        try:
            self.all_guesses()
        except Exception:
            # Ends the other threads too.
            traceback.print_exc()
            os._exit(1)

    def all_guesses(self):
        while True:
            with self.lock:
                number = next(self.numbers)
            if number >= len(self.guesses) and select.select([sys.stdin], [], [], 0)[0]:
                return
            answer = self.guess(*self.guesses[number % len(self.guesses)])
            with self.lock:
                self.answers.append(answer)
                if len(self.answers) == min(AT_A_TIME, len(self.guesses)):
                    print("here", flush=True)

    def run(self):
        workers = [threading.Thread(target=self.work) for _ in range(AT_A_TIME)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        print(json.dumps(self.answers), flush=True)


if __name__ == "__main__":
    Guesser(json.loads(sys.stdin.readline())).run()
