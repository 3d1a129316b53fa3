# SPDX-License-Identifier: Apache-2.0
# The computations of a Milagro client: the PIN's factor, the token, and the two passes of a proof.
import secrets

from support import curve

MAXPIN = 10000
PIN_BITS = 14


def pin_number(text):
    """The rule of the C++ core: a 32-bit hash of the PIN, and C's remainder, which keeps the sign."""
    number = 0
    for octet in text.encode():
        signed = octet - 256 if octet > 127 else octet
        number = (31 * number + signed + 2**31) % 2**32 - 2**31
    return number % MAXPIN if number >= 0 else -(-number % MAXPIN)


def factor(pin):
    """The scalar for the point: the low bits, in two's complement."""
    remainder = pin % MAXPIN if pin >= 0 else -(-pin % MAXPIN)
    return remainder & (1 << PIN_BITS) - 1


def recombine(*shares):
    """The sum of the shares that two trust authorities issued."""
    total = None
    for share in shares:
        total = curve.add(total, curve.decode(share))
    return total


def token(identity, client_secret, pin):
    """What a client stores: its secret minus the PIN's part."""
    part = curve.multiply(factor(pin), curve.identity_point(identity))
    return curve.add(client_secret, curve.negate(part))


class Proof:
    """One proof of a PIN: U and UT of pass 1, then V of pass 2, once."""

    def __init__(self, identity, kept, pin, permit=None, date=0, x=None):
        point = curve.identity_point(identity)
        self.x = 1 + secrets.randbelow(curve.R - 1) if x is None else x
        self.secret = curve.add(kept, curve.multiply(factor(pin), point))
        self.u, self.ut = curve.multiply(self.x, point), None
        if date:
            dated = curve.add(point, curve.dated_point(identity, date))
            self.ut = curve.multiply(self.x, dated)
            self.secret = curve.add(self.secret, permit)

    def answer(self, y):
        """V for the server's y. x is used once: two answers would reveal the secret."""
        x, self.x = self.x, None
        return curve.negate(curve.multiply(x + y, self.secret))
