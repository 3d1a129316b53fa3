# SPDX-License-Identifier: Apache-2.0
# The tags that a device makes with its key: they distinguish its tries from a stranger's.
from support.seal import field, mac


def tag(key, label, *parts):
    return mac(key, label + b"\0" + b"".join(parts)).hex()


def look(key, identity, status, wid):
    """The tag of a look-up of a session."""
    asked = field(status.encode()) + field(wid.encode())
    return tag(key, b"mpin device look 1", bytes.fromhex(identity), asked)


def waiting(key, identity, time):
    """The tag of the question which logins wait."""
    return tag(key, b"mpin device waiting 1", bytes.fromhex(identity), time.to_bytes(8, "big"))


def pass1(key, identity, u, ut, seen=""):
    """The tag of a pass 1; all parameters but the key are hexadecimal digits."""
    texts = (field(bytes.fromhex(text)) for text in (u, ut, seen))
    return tag(key, b"mpin device pass 1 1", bytes.fromhex(identity), *texts)


def pass2(key, identity, n, y, v, wid, otp):
    """The tag of a pass 2, which covers everything that it requests."""
    fixed = (bytes.fromhex(text) for text in (identity, n, y))
    asked = field(bytes.fromhex(v)) + field(wid.encode()) + bytes([otp])
    return tag(key, b"mpin device pass 2 1", *fixed, asked)
