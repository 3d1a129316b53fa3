# SPDX-License-Identifier: Apache-2.0
# Wrong answers at a login never leave this host: PINs, passphrases and wrong approval codes, in any form.
import base64
import hashlib
import random
import string

from house import PUBLIC, Login, site
from phones import front, pamtester, phone_settings, phones
from proxy import Proxy
from standin import StandIn
from support import LONG, equal, within
from test_faults import PROXY
from test_impostors import GIVEN

LOGINS = 1000 if LONG else 100
PASSPHRASE = string.ascii_letters + string.digits + " -_!"
CODE = "BCDFGHJKLMNPQRSTVWXZ"


def forms(text):
    """The forms in which a text may be hidden in a stream of octets."""
    octets, found = text.encode(), []
    digest = hashlib.sha256(octets).digest()
    for form in octets, octets.lower(), octets.upper(), octets[::-1], digest, digest[:16]:
        found += [form, form.hex().encode(), form.hex().upper().encode()]
        # The octets before it shift its characters in base64.
        for encode in base64.b64encode, base64.urlsafe_b64encode:
            found += [encode(b"x" * shift + form)[4:-4] for shift in range(3)]
    return {form for form in found if len(form) > 5}


def wrong_answers():
    """A passphrase, and digits or text that looks like an approval code; never the right answer."""
    code = "".join(random.choices(CODE, k=6))
    short = ["".join(random.choices(string.digits, k=9)), code, f"{code[:3]}-{code[3:]}"]
    return ["".join(random.choices(PASSPHRASE, k=random.randint(8, 40))), random.choice(short)]


def found(texts, streams):
    return [(text, form) for text in texts for form in forms(text)
            if any(form in stream for stream in streams)]


class Wiretap:
    """Everything between module and relay, and between relay and server, of one login at a time."""

    def __init__(self, standin, proxy):
        self.standin, self.proxy = standin, proxy

    def check(self, typed, sent):
        """The streams contain no typed text, but do contain `sent`."""
        asked, answered = b"".join(self.standin.questions), b"".join(self.standin.answers)
        wire = bytes(self.proxy.record)
        for stream in asked, wire:
            assert found([sent], [stream]), f"{sent} is not found"
        equal(found(typed, [asked, answered, wire]), [])
        self.standin.questions, self.standin.answers = [], []
        self.proxy.record.clear()


def test_typed_answers_stay():
    """no typed text leaves this host in any form, neither to the relay nor to the server"""
    with front(), StandIn() as standin, Proxy(PROXY, PUBLIC) as proxy, phone_settings(
            GIVEN, backend=f"unix:{PROXY}"):
        wiretap = Wiretap(standin, proxy)
        for number in range(LOGINS):
            # A known source may send a hundred wrong PINs, which these logins would use up.
            if number % 25 == 0:
                site().mpind.unlock("erin@example.org")
            typed = [*wrong_answers(), phones().erin_pin]
            equal(Login("mpin", "erin", *typed).code, "SUCCESS")
            wiretap.check(typed, "erin@example.org")
        for _ in range(LOGINS // 10):
            login = pamtester("erin")
            code = phones().erin.approves(login.address)
            within(login.types(code).ends()[0], "successfully authenticated")
            wiretap.check([code, f"{code[:3]}-{code[3:]}"], "sandbox")
