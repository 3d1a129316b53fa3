# SPDX-License-Identifier: Apache-2.0
# What is typed at a login stays on this host: PINs, passphrases and wrong letters, in any form.
import base64
import hashlib
import random
import string

from harness import LONG, equal, test
from house import PUBLIC, Login, settings, site
from proxy import Proxy
from standin import StandIn
from test_faults import PROXY
from test_impostors import GIVEN

LOGINS = 1000 if LONG else 100
PASSPHRASE = string.ascii_letters + string.digits + " -_!"
CODE = "BCDFGHJKLMNPQRSTVWXZ"


def forms(text):
    """How a text might be hidden in a stream of bytes."""
    octets, found = text.encode(), []
    digest = hashlib.sha256(octets).digest()
    for form in octets, octets.lower(), octets.upper(), octets[::-1], digest, digest[:16]:
        found += [form, form.hex().encode(), form.hex().upper().encode()]
        # What stands before it shifts the letters of base64.
        for encode in base64.b64encode, base64.urlsafe_b64encode:
            found += [encode(b"x" * shift + form)[4:-4] for shift in range(3)]
    return {form for form in found if len(form) > 5}


def wrong_answers():
    """A passphrase and a PIN of digits, or what looks like a phone's letters, never the right answer."""
    letters = "".join(random.choices(CODE, k=6))
    return ["".join(random.choices(PASSPHRASE, k=random.randint(8, 40))),
            random.choice(["".join(random.choices(string.digits, k=9)), letters, f"{letters[:3]}-{letters[3:]}"])]


def found(texts, streams):
    return [(text, form) for text in texts for form in forms(text) if any(form in stream for stream in streams)]


@test
def typed_answers_stay():
    """nothing that is typed leaves this host, in any form, towards relay or server"""
    with StandIn() as standin, Proxy(PROXY, PUBLIC) as proxy, settings(GIVEN, backend=f"unix:{PROXY}"):
        for _ in range(LOGINS):
            wrong = wrong_answers()
            equal(Login("mpin", "alice", *wrong, site().alice).code, "SUCCESS")
            asked, answered, wire = b"".join(standin.questions), b"".join(standin.answers), bytes(proxy.record)
            for stream in asked, wire:
                assert found(["alice@example.org"], [stream]), "what is sent would be found"
            equal(found([*wrong, site().alice], [asked, answered, wire]), [])
            standin.questions, standin.answers = [], []
            proxy.record.clear()
