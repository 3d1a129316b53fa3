# SPDX-License-Identifier: Apache-2.0
# The encoder of sealed messages (docs/protocol/seal.md): a host's questions with their tags, and the parts
# from which the answers are made.
import hashlib
import hmac
import os
import struct
import time

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from support import curve

LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
ASK, ANSWER, SEEN = b"mpin ask 1\0", b"mpin answer 1\0", b"mpin seen 1\0"


def field(octets):
    """Octets preceded by their length."""
    return struct.pack(">H", len(octets)) + octets


def mac(key, octets):
    return hmac.digest(key, octets, "sha256")


def key_for(purpose, host_key):
    """The key derived from a host key for one purpose, such as `ask`."""
    return mac(host_key, b"mpin key %s 1" % purpose.encode())


def new_nonce():
    """The time in seconds, and random octets."""
    return struct.pack(">Q", int(time.time())) + os.urandom(24)


def question(host, identities, service, account, source, life=90):
    """The question of a login host with the terminal ssh; `identities` are hashes in hexadecimal digits."""
    said = b"".join(field(text.encode()) for text in (service, account, source, "ssh"))
    users = b"".join(bytes.fromhex(identity) for identity in identities)
    return (ASK + field(host.encode()) + new_nonce() + said + b"\0"
            + struct.pack(">HH", life, len(identities)) + users)


def asked_again(question, source):
    """The same question with the current time, from another source."""
    parts, rest = [], question[len(ASK):]
    # Host, nonce, service, account and source.
    for size in None, 32, None, None, None:
        size = size or 2 + struct.unpack(">H", rest[:2])[0]
        parts.append(rest[:size])
        rest = rest[size:]
    parts[1], parts[4] = new_nonce(), field(source)
    return ASK + b"".join(parts) + rest


def asks(question, host_key):
    """The two fields of a request that carry a question."""
    return {"ask": question.hex(), "askTag": mac(key_for("ask", host_key), question).hex()}


def number_of(question):
    """A, which names a question."""
    return hashlib.sha256(question).digest()


def answer_tag(answer, host_key):
    """The tag that mpind puts on an answer."""
    return mac(key_for("answer", host_key), answer)


def answer(number, way=1, decided=0, identity=bytes(32), tries=0xFFFF, release=0):
    """The answer to the question with this A."""
    return ANSWER + number + bytes([way, decided]) + identity + struct.pack(">HI", tries, release)


def session(number, wid, access_number, life):
    """The octets that mpind seals for a session that waits for a phone."""
    return (b"mpin session 1\0" + number + field(wid.encode()) + field(access_number.encode())
            + struct.pack(">H", life))


def notice(number):
    """The notice of no wrong tries, for a question."""
    return b"mpin notice 1\0" + number + bytes(2 + 8 + 2)


def seen(texts, time):
    """The approval details that a device is shown for a session."""
    return SEEN + b"".join(map(field, texts)) + time


def texts_of(seen):
    """Origin, wid, host, service, account and source from approval details, and the time."""
    texts, rest = [], seen[len(SEEN):]
    for _ in range(6):
        count, = struct.unpack(">H", rest[:2])
        texts.append(rest[2:2 + count])
        rest = rest[2 + count:]
    return texts, rest


def challenge(nonce, identity, u, ut, number):
    """y as mpind computes it."""
    digest = hashlib.sha256(b"mpin y 1\0" + nonce + identity + field(u) + field(ut) + number).digest()
    return (int.from_bytes(digest, "big") % curve.R).to_bytes(32, "big")


def code_of(number, wid, host_key):
    """The approval code of a session, six letters: both ends compute it; it is not transmitted."""
    digest = mac(key_for("code", host_key), b"mpin code 1\0" + number + field(wid.encode()))
    rest, code = int.from_bytes(digest[:8], "big") % 20**6, ""
    for _ in range(6):
        rest, digit = divmod(rest, 20)
        code = LETTERS[digit] + code
    return code


def join_id(code):
    """The id by which the server knows a join code."""
    return hashlib.sha256(b"mpin join 1\0" + code).digest()[:16]


def opened_key(host, code, epoch, sealed):
    """A new host's key, which the server sealed with this join code."""
    key = mac(code, b"mpin key join 1\0" + field(host.encode()))
    return AESGCM(key).decrypt(bytes(12), sealed, struct.pack(">I", epoch))
