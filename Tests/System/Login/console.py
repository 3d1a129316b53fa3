# SPDX-License-Identifier: Apache-2.0
# A console that waits for a second device, opened with the host's own key as the module would (seal.md).
import hashlib
import hmac
import json
import os
import struct
import time

from house import HOST, PUBLIC
from proxy import Upstream
from standin import f, host_key, tag_of

LETTERS = "BCDFGHJKLMNPQRSTVWXZ"


def call(path, message):
    """One request at the public socket: its status, and what came."""
    server = Upstream(PUBLIC)
    server.request("POST", path, json.dumps(message), {"Content-Type": "application/json"})
    answer = server.getresponse()
    status, body = answer.status, answer.read()
    server.close()
    return status, json.loads(body or b"{}")


def code_of(a, wid, key):
    """The code of a session: both ends compute it, and nobody sends it here."""
    key = hmac.digest(key, b"mpin key code 1", "sha256")
    digest = hmac.digest(key, b"mpin code 1\0" + a + f(wid.encode()), "sha256")
    rest, code = int.from_bytes(digest[:8], "big") % 20**6, ""
    for _ in range(6):
        rest, digit = divmod(rest, 20)
        code = LETTERS[digit] + code
    return code


class Console:
    """Opens a session for the identities of an account."""

    def __init__(self, ids, account="alice", service="sshd", source="203.0.113.9", life=90):
        self.key = host_key()
        ask = (b"mpin ask 1\0" + f(HOST.encode()) + struct.pack(">Q", int(time.time())) + os.urandom(24)
               + f(service.encode()) + f(account.encode()) + f(source.encode()) + f(b"ssh") + b"\0"
               + struct.pack(">HH", life, len(ids)) + b"".join(bytes.fromhex(one) for one in ids))
        self.a = hashlib.sha256(ask).digest()
        tag = hmac.digest(hmac.digest(self.key, b"mpin key ask 1", "sha256"), ask, "sha256")
        status, session = call("/rps/getQrUrl", {"ask": ask.hex(), "askTag": tag.hex()})
        assert status == 200, f"getQrUrl: {status} {session}"
        self.number, self.wid = session["accessNumber"], session["qrUrl"].partition("#")[2]
        self.life = session["ttlSeconds"]
        sealed = (b"mpin session 1\0" + self.a + f(self.wid.encode()) + f(self.number.encode())
                  + struct.pack(">H", session["ttlSeconds"]))
        assert tag_of(sealed, self.key).hex() == session["sessionTag"], "the session is not sealed"

    @property
    def attempt(self):
        return self.a[:8].hex()

    @property
    def letters(self):
        """The code of this session, grouped."""
        code = code_of(self.a, self.wid, self.key)
        return f"{code[:3]}-{code[3:]}"

    def verdict(self):
        """What mpind says of this session: the status, and of its sealed answer the verdict and the id."""
        status, body = call("/mpinAuthenticate", {"A": self.a.hex()})
        answer = bytes.fromhex(body.get("answer", ""))
        if not answer:
            return status, None, None
        assert tag_of(answer, self.key).hex() == body["answerTag"], "the answer is not sealed"
        label = b"mpin answer 1\0"
        assert answer.startswith(label + self.a + b"\x02"), "not an answer of way 2 to this question"
        rest = answer[len(label) + 33:]
        return status, rest[0], rest[1:33].hex()
