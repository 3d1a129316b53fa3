# SPDX-License-Identifier: Apache-2.0
# Requests as octets: as HTTP wants them, with broken JSON, or with a frame that is none.
import json
from urllib.parse import quote

from mutations import DEEP, LONG, TOO_LONG

CRLF = b"\r\n"


def plain_json(value):
    if value is None or isinstance(value, bytes):
        return value or b""
    # What has no JSON, infinity and halves of characters, goes out as Python writes it.
    return json.dumps(value).encode("utf-8", "surrogatepass")


def broken_json(random, octets):
    """What a parser must refuse, or take without harm."""
    place = random.randrange(len(octets) + 1)
    return random.choice([
        lambda: octets[:place], lambda: octets + octets, lambda: octets + b"x", lambda: b"\xef\xbb\xbf" + octets,
        lambda: octets[:place] + random.randbytes(3) + octets[place:], lambda: octets.decode().encode("utf-16"),
        lambda: octets.replace(b'"', b"'"), lambda: octets.replace(b":", b": ,", 1), lambda: b"[" * DEEP,
        lambda: octets.replace(b"}", b",}"), lambda: b'{"a":' * (DEEP // 2) + b"1" + b"}" * (DEEP // 2),
        lambda: b"[" * DEEP + b"]" * DEEP, lambda: octets.replace(b"{", b'{"pass":1,"pass":2,', 1),
        lambda: b" " * LONG + octets, lambda: octets.replace(b'"', b'"\x00', 1), lambda: b"\x80" * 100,
        lambda: octets.replace(b"1", b"1e9999").replace(b"2", b"-0"), lambda: b"9" * LONG, lambda: b"-", lambda: b"",
        lambda: octets.replace(b"a", b"\\u0061").replace(b"0", b"\\u003"), lambda: b'"' + b"\\u" * 999 + b'"',
        lambda: octets.replace(b'"', b'"\xff', 1), lambda: b"\x00" * TOO_LONG, lambda: b'{"":' + octets + b"}",
        lambda: b"/**/" + octets, lambda: b"nul", lambda: b"1E400", lambda: random.randbytes(200)])()


def address(request):
    query = "&".join(f"{quote_some(name)}={quote_some(value)}" for name, value in request.query)
    return (request.path + ("?" + query if query else "")).encode("utf-8", "surrogatepass")


def quote_some(value):
    """Values of any type; what HTTP would end at is quoted, the rest goes as it is."""
    return quote(str(value), safe="%:/+*'&=[]{}\"<>", errors="replace")


def lines(request, host, body):
    """The head's lines as HTTP wants them."""
    named = {name.lower() for name, _ in request.headers}
    fields = list(request.headers)
    for name, value in [("Host", host), ("Content-Type", "application/json")]:
        if name.lower() not in named:
            fields.append((name, value))
    if body or request.method not in ("GET", "HEAD"):
        fields.append(("Content-Length", str(len(body))))
    first = request.method.encode("utf-8") + b" " + address(request) + b" HTTP/1.1"
    return [first] + [f"{name}: {value}".encode("latin-1", "replace") for name, value in fields]


def whole(head, body):
    return CRLF.join(head) + CRLF * 2 + body


def chunked(head, body, size=b"", tail=b"0\r\n\r\n"):
    kept = [line for line in head if not line.lower().startswith(b"content-length")]
    return whole(kept + [b"Transfer-Encoding: chunked"], (size or b"%x" % len(body)) + CRLF + body + CRLF + tail)


def with_length(head, body, *values):
    kept = [line for line in head if not line.lower().startswith(b"content-length")]
    return whole(kept + [b"Content-Length: " + value for value in values], body)


def first_line(head, body, change):
    return whole([change(head[0])] + head[1:], body)


# Each makes octets of a whole head and body; nothing may be expected after them on the same connection.
FRAMES = [
    lambda r, h, b: chunked(h, b or b"{}"), lambda r, h, b: chunked(h, b, b"zz"), lambda r, h, b: chunked(h, b, b"-1"),
    lambda r, h, b: chunked(h, b, b"f" * 40), lambda r, h, b: chunked(h, b, b"1;" + b"x" * 9000),
    lambda r, h, b: chunked(h, b or b"{}", tail=b""), lambda r, h, b: chunked(h, b, tail=b"0\r\nHost: x\r\n\r\n"),
    lambda r, h, b: chunked(h, b or b"{}", tail=b"7fffffff\r\n" + b"x" * 1000),
    lambda r, h, b: whole(h + [b"Transfer-Encoding: chunked"], b), lambda r, h, b: whole(h + [b"Transfer-Encoding: x"], b),
    lambda r, h, b: with_length(h, b, b"-1"), lambda r, h, b: with_length(h, b, b"0x10"),
    lambda r, h, b: with_length(h, b, b"9" * 30), lambda r, h, b: with_length(h, b, b"%d" % (len(b) + 5)),
    lambda r, h, b: with_length(h, b), lambda r, h, b: with_length(h, b, b"%d" % (len(b) // 2)),
    lambda r, h, b: with_length(h, b, b"1", b"2"), lambda r, h, b: with_length(h, b, b"+%d" % len(b)),
    lambda r, h, b: with_length(h, b, b""), lambda r, h, b: with_length(h, b, b"2147483648"),
    lambda r, h, b: with_length(h, b"x" * TOO_LONG, b"%d" % TOO_LONG),
    lambda r, h, b: first_line(h, b, lambda line: line[:-9]), lambda r, h, b: first_line(h, b, lambda line: line[:-1] + b"9"),
    lambda r, h, b: first_line(h, b, lambda line: line[:-3] + b"1.0"),
    lambda r, h, b: first_line(h, b, lambda line: line[:-3] + b"2.0"),
    lambda r, h, b: first_line(h, b, lambda line: line.replace(b" ", b"  ")),
    lambda r, h, b: first_line(h, b, lambda line: line.replace(b" ", b"\t")),
    lambda r, h, b: first_line(h, b, lambda line: b"\r\n\r\n" + line),
    lambda r, h, b: first_line(h, b, lambda line: line.split(b" ")[0]),
    lambda r, h, b: first_line(h, b, lambda line: line.replace(b" /", b" /" + b"a" * 20_000)),
    lambda r, h, b: whole(h[:1] + [b"Host:x"] + h[1:], b), lambda r, h, b: whole([h[0]] + h[2:], b),
    lambda r, h, b: whole(h + [b"NoColon"], b), lambda r, h, b: whole(h + [b"Space : x"], b),
    lambda r, h, b: whole(h + [b"Fold: x", b" y"], b), lambda r, h, b: whole(h + [b"Nul: \x00\x01"], b),
    lambda r, h, b: whole(h + [b": empty"], b), lambda r, h, b: whole(h + [b"L: " + b"x" * 100_000], b),
    lambda r, h, b: whole(h + [b"A%d: x" % i for i in range(2000)], b), lambda r, h, b: b"\n".join(h) + b"\n\n" + b,
    lambda r, h, b: b"\r".join(h) + b"\r\r" + b, lambda r, h, b: whole(h, b)[:r.randrange(1, 60)],
    lambda r, h, b: r.randbytes(r.choice([1, 50, 5000])), lambda r, h, b: b"\x16\x03\x01\x02\x00\x01" + r.randbytes(300),
    lambda r, h, b: b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + r.randbytes(40), lambda r, h, b: b"\r\n" * 5000,
    lambda r, h, b: b"\x00" * 500, lambda r, h, b: b"GET /status\r\n\r\n", lambda r, h, b: b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
    lambda r, h, b: whole(h + [b"Expect: 100-continue"], b), lambda r, h, b: whole(h + [b"Connection: close"], b) * 2,
    lambda r, h, b: whole(h, b) * 3, lambda r, h, b: whole(h + [b"Connection: Upgrade", b"Upgrade: h2c", b"HTTP2-Settings: AAAA"], b),
]
