# SPDX-License-Identifier: Apache-2.0
# A document of docs/protocol as a program: its tables give the layout of messages, its rules how to make
# values.
import hashlib
import hmac
import re

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from support import curve, seal

LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
TOKEN = re.compile(r'\s*("[^"]*"|\w+\[\d+\]|\w+|[(),])')
LAYOUT = re.compile(r"^Layout of `(\w+)`[^\n]*:\n\n\|[^\n]*\n\|[-|]*\n((?:\|[^\n]*\n)+)", re.M)
LITERAL = re.compile("([0-9a-f]{2})+")


def six_letters(octets):
    number = int.from_bytes(octets[:8], "big") % 20**6
    return "".join(LETTERS[number // 20**place % 20] for place in range(5, -1, -1)).encode()


FUNCTIONS = {
    "f": seal.field,
    "SHA256": lambda x: hashlib.sha256(x).digest(),
    "HMAC": lambda key, x: hmac.new(key, x, hashlib.sha256).digest(),
    "AES256GCM": lambda key, nonce, associated, text: AESGCM(key).encrypt(nonce, text, associated),
    "first16": lambda x: x[:16],
    "modr": lambda x: (int.from_bytes(x, "big") % curve.R).to_bytes(32, "big"),
    "letters6": six_letters,
}


def pairs(block):
    """`name = value` lines; continuation lines are joined."""
    found = []
    for line in block.splitlines():
        if line.startswith(" "):
            name, value = found.pop()
            found.append((name, value + line.strip()))
        elif line.strip():
            name, value = line.split(" = ", 1)
            found.append((name.strip(), value.strip()))
    return found


def octets(text):
    """The octets of a written value."""
    return text[1:-1].encode() if text.startswith('"') else bytes.fromhex(text)


class Document:
    def __init__(self, text):
        fences = re.findall(r"^```(\w+)\n(.*?)^```$", text, re.M | re.S)
        self.programs = [block for kind, block in fences if kind == "python"]
        self.rules = dict(pair for kind, block in fences if kind == "rules" for pair in pairs(block))
        self.inputs = dict(pair for kind, block in fences if kind == "inputs" for pair in pairs(block))
        self.cases = [self.case(block) for kind, block in fences if kind == "values"]
        self.layouts = {name: self.rows(table) for name, table in LAYOUT.findall(text)}

    @staticmethod
    def rows(table):
        """Size and field of each row."""
        return [tuple(cell.strip() for cell in row.split("|")[1:3]) for row in table.splitlines()]

    @staticmethod
    def case(block):
        """The inputs that only this block has, and its results."""
        lines = pairs(block)
        return ({name.removeprefix("with "): value for name, value in lines if name.startswith("with ")},
                [(name, value) for name, value in lines if not name.startswith("with ")])

    def made(self, name, given):
        """A value made by its rule or its table."""
        if name in self.layouts:
            return b"".join(self.field(size, field.strip("`"), given) for size, field in self.layouts[name])
        assert name in self.rules, f"there is no rule for {name}"
        return self.expression(self.rules[name], given)

    def known(self, name, given):
        if name in given:
            return octets(given[name])
        return octets(self.inputs[name]) if name in self.inputs else self.made(name, given)

    def field(self, size, text, given):
        """One row of a table; checks the size that the row gives."""
        value = self.expression(text, given)
        wanted, wanted_more = re.fullmatch(r"(\d+)(?: [+×] (\w+))?", size).groups()
        if wanted_more is None or wanted_more.isdigit():
            right = len(value) == int(wanted) + int(wanted_more or 0)
        elif "×" in size:
            right = len(value) == int(wanted) * self.number(wanted_more, given)
        else:
            right = len(value) >= int(wanted)
        assert right, f"{text} has {len(value)} octets instead of {size}"
        return value

    def number(self, name, given):
        return int(given.get(name) or self.inputs[name])

    def expression(self, text, given):
        rest = TOKEN.findall(text)
        assert re.sub(r"\s", "", text) == re.sub(r"\s", "", "".join(rest)), text
        value = self.items(rest, given)
        assert not rest, f"{text}: {rest}"
        return value

    def items(self, rest, given):
        """Concatenated values, up to the next comma or bracket."""
        value = b""
        while rest and rest[0] not in (",", ")"):
            token = rest.pop(0)
            if rest and rest[0] == "(":
                value += self.called(token, rest, given)
            elif token.startswith('"'):
                value += token[1:-1].encode()
            elif LITERAL.fullmatch(token):
                value += bytes.fromhex(token)
            else:
                name, count = re.fullmatch(r"(\w+?)(?:\[(\d+)\])?", token).groups()
                part = self.known(name, given)
                assert count is None or len(part) == int(count), f"{token} has {len(part)} octets"
                value += part
        return value

    def called(self, name, rest, given):
        rest.pop(0)
        if name.startswith("be"):
            number = rest.pop(0)
            assert rest.pop(0) == ")"
            return self.number(number, given).to_bytes(int(name[2:]) // 8, "big")
        arguments = [self.items(rest, given)]
        while rest.pop(0) == ",":
            arguments.append(self.items(rest, given))
        return FUNCTIONS[name](*arguments)
