# SPDX-License-Identifier: Apache-2.0
# The group G1 of BN254CX: encoding, group law, hashing to a point. Points are (x, y); infinity is None.
import hashlib

U = -0x4000000003C012B1
P = 36 * U**4 + 36 * U**3 + 24 * U**2 + 6 * U + 1
R = 36 * U**4 + 36 * U**3 + 18 * U**2 + 6 * U + 1
B = 2


class Invalid(ValueError):
    """The text does not encode a point that may be sent."""


def on_curve(x, y):
    return (y * y - x * x * x - B) % P == 0


def decode(text):
    """The point that 130 hex digits encode: 04, x, y. Infinity has no encoding; raises Invalid."""
    if len(text) != 130:
        raise Invalid(f"{len(text)} digits")
    octets = bytes.fromhex(text)
    x, y = int.from_bytes(octets[1:33], "big"), int.from_bytes(octets[33:], "big")
    if octets[0] != 4 or x >= P or y >= P or not on_curve(x, y):
        raise Invalid(text)
    return x, y


def encode(point):
    if point is None:
        raise Invalid("infinity")
    return "04" + "".join(f"{coordinate:064x}" for coordinate in point)


def add(a, b):
    if a is None or b is None:
        return b if a is None else a
    if a[0] == b[0]:
        if (a[1] + b[1]) % P == 0:
            return None
        slope = 3 * a[0] * a[0] * pow(2 * a[1], -1, P)
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, P)
    x = (slope * slope - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def negate(a):
    return None if a is None else (a[0], -a[1] % P)


def double(x, y, z):
    """2 (x/z^2, y/z^3): in these coordinates no step needs an inverse."""
    square, slope = y * y % P, 3 * x * x
    product = 4 * x * square
    other = (slope * slope - 2 * product) % P
    return other, (slope * (product - other) - 8 * square * square) % P, 2 * y * z % P


def add_to(x, y, z, a):
    """(x/z^2, y/z^3) + a; the two points must be neither equal nor opposite."""
    square = z * z % P
    width, height = (a[0] * square - x) % P, (a[1] * square * z - y) % P
    area = width * width % P
    cube, product = area * width % P, x * area
    other = (height * height - cube - 2 * product) % P
    return other, (height * (product - other) - y * cube) % P, z * width % P


def multiply(scalar, a):
    """Not in constant time: all secrets here are test values."""
    scalar %= R
    if a is None or scalar == 0:
        return None
    # The other summand is an even multiple of `a` between 2 and R - 3, so it is neither a nor -a.
    x, y, z = *a, 1
    for digit in bin(scalar)[3:]:
        x, y, z = double(x, y, z)
        if digit == "1":
            x, y, z = add_to(x, y, z, a)
    inverse = pow(z, -1, P)
    return x * inverse * inverse % P, y * inverse**3 % P


def to_point(digest):
    """The first abscissa at or after this hash that belongs to a point, with the even ordinate."""
    x = int.from_bytes(digest, "big") % P
    while True:
        square = (x * x * x + B) % P
        y = pow(square, (P + 1) // 4, P)
        if y and y * y % P == square:
            return x, P - y if y & 1 else y
        x = (x + 1) % P


def identity_hash(identity):
    return hashlib.sha256(identity).digest()


def identity_point(identity):
    """A, the point of an identity."""
    return to_point(identity_hash(identity))


def dated_point(identity, date):
    """A_T, the point of an identity on one day."""
    return to_point(hashlib.sha256(date.to_bytes(4, "big") + identity_hash(identity)).digest())
