# SPDX-License-Identifier: Apache-2.0
# Requests as octets: well-formed, with broken JSON, or with invalid framing.
import json
from urllib.parse import quote

CRLF = b"\r\n"
DEEP = 20_000
LONG = 60_000
TOO_LONG = 70_000
UNREAD = 150_000


def plain_json(value):
    """The body as JSON; infinity and lone surrogates are encoded as Python writes them."""
    if value is None or isinstance(value, bytes):
        return value or b""
    return json.dumps(value).encode("utf-8", "surrogatepass")


BROKEN = [b"", b"-", b"nul", b"1E400", b"[" * DEEP, b"[" * DEEP + b"]" * DEEP, b"9" * LONG, b"\x80" * 100,
          b'{"a":' * (DEEP // 2) + b"1" + b"}" * (DEEP // 2), b'"' + b"\\u" * 999 + b'"', b"\x00" * TOO_LONG]
# Replacements that make text that is almost JSON: commas, quotes, numbers, names and escapes.
REPLACED = [(b'"', b"'"), (b":", b": ,"), (b"}", b",}"), (b"{", b'{"pass":1,"pass":2,'), (b'"', b'"\x00'),
            (b'"', b'"\xff'), (b"1", b"1e9999"), (b"2", b"-0"), (b"a", b"\\u0061"), (b"0", b"\\u003")]
BEFORE = [b"x", b"/**/", b"\xef\xbb\xbf", b" " * LONG, b"{", b"\x00"]


def broken_json(random, octets):
    """Text that a parser must refuse, or accept without harm."""
    place, (old, new) = random.randrange(len(octets) + 1), random.choice(REPLACED)
    return random.choice([
        lambda: random.choice(BROKEN), lambda: random.randbytes(200), lambda: octets[:place],
        lambda: octets[:place] + random.randbytes(3) + octets[place:], lambda: octets + octets,
        lambda: octets.replace(old, new, random.choice([1, -1])), lambda: random.choice(BEFORE) + octets,
        lambda: octets + random.choice(BEFORE), lambda: b'{"":' + octets + b"}",
        lambda: octets.decode("utf-8", "replace").encode("utf-16")])()


def written(value):
    """A value of any type as text; characters that would end an HTTP line are percent-encoded."""
    return quote(str(value), safe="%:/+*'&=[]{}\"<>", errors="replace")


def lines(request, host, body):
    """The lines of a well-formed head."""
    fields, named = list(request.headers), {name.lower() for name, _ in request.headers}
    for name, value in [("Host", host), ("Content-Type", "application/json")]:
        if name.lower() not in named:
            fields.append((name, value))
    if body or request.method not in ("GET", "HEAD"):
        fields.append(("Content-Length", str(len(body))))
    query = "&".join(f"{written(name)}={written(value)}" for name, value in request.query)
    address = request.path + ("?" + query if query else "")
    first = f"{request.method} {address} HTTP/1.1".encode("utf-8", "surrogatepass")
    return [first] + [f"{name}: {value}".encode("latin-1", "replace") for name, value in fields]


def whole(head, body):
    return CRLF.join(head) + CRLF * 2 + body


def unmeasured(head):
    return [line for line in head if not line.startswith(b"Content-Length")]


# Sizes of a chunk, and the octets after it; None stands for the right size.
CHUNKS = [(None, b"0\r\n\r\n"), (b"zz", b"0\r\n\r\n"), (b"-1", b"0\r\n\r\n"), (b"f" * 40, b""), (b"", b""),
          (b"1;" + b"x" * 9000, b"0\r\n\r\n"), (None, b""), (None, b"0\r\nHost: x\r\n\r\n"),
          (None, b"7fffffff\r\n" + b"x" * 1000), (None, b"0\r\n" + b"a: b\r\n" * 5000)]
LENGTHS = [b"-1", b"0x10", b"9" * 30, b"", b"1", b"+2", b"2147483648", b"5, 5", b"70000", b"1.0"]
FIELDS = [b"Transfer-Encoding: chunked", b"Transfer-Encoding: x", b"NoColon", b"Space : x", b"Fold: x\r\n y",
          b"Nul: \x00\x01", b": empty", b"L: " + b"x" * 100_000, b"\r\n".join([b"A: x"] * 2000), b"Host: x",
          b"Expect: 100-continue", b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c", b"\xff: \xff"]
VERSIONS = [b"", b" HTTP/1.0", b" HTTP/2.0", b" HTTP/1.9", b" HTTP/1.1.1", b" http/1.1", b" X"]
NO_REQUESTS = [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\r\n" * 5000, b"\x00" * 500, b"GET /status\r\n\r\n",
               b"\x16\x03\x01\x02\x00\x01" + b"\xaa" * 300, b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n"]


def chunked(random, head, body):
    size, tail = random.choice(CHUNKS)
    size = b"%x" % len(body) if size is None else size
    return whole(unmeasured(head) + [b"Transfer-Encoding: chunked"], size + CRLF + body + CRLF + tail)


def measured(random, head, body):
    """Lengths that are invalid, missing, too short, too long, or repeated."""
    odd, right = random.choice(LENGTHS), b"%d" % len(body)
    long, short = b"%d" % (len(body) + 5), b"%d" % (len(body) // 2)
    values = random.choice([[], [odd], [long], [short], [right, odd], [right, right]])
    return whole(unmeasured(head) + [b"Content-Length: " + value for value in values], body)


def first_line(random, head, body):
    right = head[0]
    other = right.removesuffix(b" HTTP/1.1") + random.choice(VERSIONS)
    line = random.choice([other, other, right.replace(b" ", b"  "), right.replace(b" ", b"\t"), CRLF + right,
                          right.replace(b" /", b" /" + b"a" * 20_000)])
    return whole([line] + head[1:], body)


def odd_field(random, head, body):
    place = random.randrange(1, len(head) + 1)
    return whole(head[:place] + [random.choice(FIELDS)] + head[place:], body)


def odd_ends(random, head, body):
    end = random.choice([b"\n", b"\r", b"\r\r\n", b"\n\r", b"\x00"])
    return end.join(head) + end * 2 + body


def several(random, head, body):
    return whole(head + random.choice([[], [b"Connection: close"]]), body) * random.randint(2, 9)


def half(random, head, body):
    octets = whole(head, body)
    return octets[:random.randrange(len(octets))]


def no_request(random, head, body):
    return random.choice([random.choice(NO_REQUESTS), random.randbytes(random.choice([1, 50, 5000])),
                          whole([line for line in head if not line.startswith(b"Host")], body)])


FRAMES = [chunked, measured, first_line, odd_field, odd_ends, several, half, no_request]


def misframed(random, head, body):
    """Octets after which no answer may be expected on their connection; no more than a socket buffers
    unread."""
    return random.choice(FRAMES)(random, head, body)[:UNREAD]
