# SPDX-License-Identifier: Apache-2.0
# AES-256-GCM encryption (FIPS 197, NIST SP 800-38D): slow, for test values only.
ROUNDS = 14


def double(octet):
    """Multiplication by x in the field of AES."""
    return (octet << 1 ^ (0x11B if octet & 0x80 else 0)) & 0xFF


def substitutions():
    """The S-box: the inverse in the field, then an affine map."""
    box, p, q = [0x63] * 256, 1, 1
    while True:
        p ^= double(p)
        for shift in 1, 2, 4:
            q ^= q << shift & 0xFF
        q ^= 0x09 if q & 0x80 else 0
        box[p] = q ^ 0x63
        for shift in 1, 2, 3, 4:
            box[p] ^= (q << shift | q >> 8 - shift) & 0xFF
        if p == 1:
            return box


BOX = substitutions()


def round_keys(key):
    words, constant = [key[i:i + 4] for i in range(0, 32, 4)], 1
    for i in range(8, 4 * (ROUNDS + 1)):
        word = words[-1]
        if i % 8 == 0:
            word = bytes([BOX[word[1]] ^ constant, BOX[word[2]], BOX[word[3]], BOX[word[0]]])
            constant = double(constant)
        elif i % 8 == 4:
            word = bytes(BOX[octet] for octet in word)
        words.append(bytes(a ^ b for a, b in zip(words[i - 8], word)))
    return [b"".join(words[i:i + 4]) for i in range(0, len(words), 4)]


def encrypted(keys, block):
    state = bytes(a ^ b for a, b in zip(block, keys[0]))
    for number, key in enumerate(keys[1:], 1):
        # Octet r of column c comes from column c + r.
        state = [BOX[state[(i + 4 * (i % 4)) % 16]] for i in range(16)]
        if number < ROUNDS:
            columns = [state[i:i + 4] for i in range(0, 16, 4)]
            state = [double(c[i]) ^ double(c[(i + 1) % 4]) ^ c[(i + 1) % 4] ^ c[(i + 2) % 4] ^ c[(i + 3) % 4]
                     for c in columns for i in range(4)]
        state = bytes(a ^ b for a, b in zip(state, key))
    return state


def product(x, y):
    """The product in the field of GCM, whose first bit is the lowest power."""
    total = 0
    for bit in range(127, -1, -1):
        total ^= y if x >> bit & 1 else 0
        y = y >> 1 ^ (0xE1 << 120 if y & 1 else 0)
    return total


def ghash(h, octets):
    total = 0
    for i in range(0, len(octets), 16):
        total = product(total ^ int.from_bytes(octets[i:i + 16], "big"), h)
    return total.to_bytes(16, "big")


def padded(octets):
    return octets + bytes(-len(octets) % 16)


def seal(key, nonce, associated, text):
    """The ciphertext followed by its tag; the nonce has 12 octets."""
    assert (len(key), len(nonce)) == (32, 12)
    keys = round_keys(key)

    def stream(number):
        return encrypted(keys, nonce + number.to_bytes(4, "big"))

    blocks = b"".join(stream(number + 2) for number in range(-(-len(text) // 16)))
    sealed = bytes(a ^ b for a, b in zip(text, blocks))
    lengths = (8 * len(associated)).to_bytes(8, "big") + (8 * len(sealed)).to_bytes(8, "big")
    hashed = ghash(int.from_bytes(encrypted(keys, bytes(16)), "big"),
                   padded(associated) + padded(sealed) + lengths)
    return sealed + bytes(a ^ b for a, b in zip(hashed, stream(1)))
