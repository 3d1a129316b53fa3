# SPDX-License-Identifier: Apache-2.0
# How a request is spoilt: its values, its JSON, its address and its headers. Each takes a random source.
import json

HEX = "0123456789abcdef"
METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "CONNECT", "PRI", "get", "X" * 300,
           "P\u00d6ST", "GET\tPOST"]
DEEP = 20_000
LONG = 60_000
TOO_LONG = 70_000


def digits(random, count):
    return "".join(random.choice(HEX) for _ in range(count))


def nested(depth, value):
    for _ in range(depth):
        value = [value] if depth % 2 else {"a": value}
    return value


VALUES = [
    lambda r: None, lambda r: True, lambda r: False, lambda r: 0, lambda r: -1, lambda r: 1.5, lambda r: 2**31,
    lambda r: 2**63, lambda r: -2**63 - 1, lambda r: 2**64, lambda r: 10**4000, lambda r: 1e308,
    lambda r: float("inf"), lambda r: float("nan"), lambda r: "", lambda r: " ", lambda r: "0", lambda r: "\x00",
    lambda r: "zz", lambda r: "\ud800", lambda r: "\U0001f511\u202e\u0301" * r.randint(1, 50), lambda r: "%00%ff",
    lambda r: "../../etc", lambda r: "' OR 1=1 --", lambda r: "${x}\r\nSet-Cookie: a=b", lambda r: [],
    lambda r: {}, lambda r: ["x"] * r.randint(1, 5000), lambda r: nested(r.choice([3, 4, 200, 900]), 1),
    lambda r: {digits(r, 8): digits(r, 8) for _ in range(r.randint(1, 1000))},
    lambda r: digits(r, r.choice([1, 2, 31, 32, 33, 63, 64, 65, 128, 129, 130, 131, 132, 1000])),
    lambda r: "a" * r.choice([255, 256, 4096, LONG, TOO_LONG]),
    lambda r: "04" + digits(r, 128), lambda r: "04" + "0" * 128, lambda r: "04" + "f" * 128,
    lambda r: r.choice(["00", "02", "03", "05", "06"]) + digits(r, r.choice([0, 64, 128])), lambda r: "0" * 130,
    lambda r: json.dumps({"mobile": 1, "userID": digits(r, 8), "salt": digits(r, 32)}).encode().hex(),
    lambda r: (b"[" * r.randint(1, 10_000)).hex(), lambda r: b'{"userID":1}'.hex(), lambda r: b"\xff\xfe{".hex(),
]


def near(random, value):
    """A text that is almost the right one."""
    if not isinstance(value, str) or not value:
        return random.choice(VALUES)(random)
    place = random.randrange(len(value))
    return random.choice([
        lambda: value[:place] + random.choice(HEX) + value[place + 1:], lambda: value[:place],
        lambda: value + random.choice(HEX), lambda: value.upper(), lambda: " " + value, lambda: value + "\x00",
        lambda: "0x" + value, lambda: value[:-1] + "g", lambda: value * 2, lambda: value[::-1], lambda: [value],
        lambda: value[:place] + "\u0430" + value[place + 1:]])()


def spoil_json(random, request):
    """One value of the body, at any depth: another one, none, or one too many."""
    if not isinstance(request.body, dict):
        request.body = random.choice(VALUES)(random)
        return
    request.body = at = dict(request.body)
    while at and (inner := [v for v in at.values() if isinstance(v, dict) and v]) and random.random() < 0.8:
        at = random.choice(inner)
    name = random.choice(list(at) or ["x"])
    kind = random.random()
    if kind < 0.2:
        at.pop(name, None)
    elif kind < 0.3:
        at[random.choice([name.upper(), name + " ", "__proto__", "", name * 100])] = at.pop(name, 1)
    elif kind < 0.65:
        at[name] = near(random, at.get(name))
    else:
        at[name] = random.choice(VALUES)(random)


def spoil_query(random, request):
    """One pair of the query: without value, twice, gone, or with another value."""
    if not request.query:
        request.query = [(digits(random, 4), random.choice(["", "%", "%zz", "&&==", "a" * 9000]))]
        return
    place = random.randrange(len(request.query))
    name, value = request.query[place]
    wrong = random.choice([near(random, value), random.choice(VALUES)(random)])
    request.query[place:place + 1] = random.choice([
        [], [(name, "")], [(name, value)] * 2, [(name, value), (name, "x")], [(name + "[]", value)],
        [(name, wrong)], [(name, wrong)], [(name, wrong)], [(name.upper(), value)]])


def spoil_path(random, request):
    """The address: other separators, other cases, other lengths, other segments."""
    path = request.path
    parts = path.split("/")
    place = random.randrange(len(parts))
    parts[place] = str(random.choice([near(random, parts[place]), random.choice(VALUES)(random)]))
    request.path = random.choice([
        "/".join(parts), "/".join(parts), "/".join(parts), path + "/", "/" + path, path.replace("/", "//"),
        "/." + path, "/x/.." + path, path + "/..", path.upper(), path.replace("/", "%2f"), path + "%00",
        path + ";a=b", path + "#f", path + "?", path[1:], "*", "", "http://localhost" + path, "\\" + path,
        path + "/" + "a/" * random.randint(1, 2000), "/" + "%41" * random.randint(1, 5000), path + "\x7f",
        "/\u00e9" + path, path + "%c0%af", path + "%zz", "//evil.example" + path, path + " x"])


def spoil_method(random, request):
    request.method = random.choice(METHODS)


HEADERS = [
    ("Content-Type", "text/plain"), ("Content-Type", ""), ("Content-Type", "application/x-www-form-urlencoded"),
    ("Content-Type", "application/json; charset=utf-16"), ("Content-Type", "application/json, text/html"),
    ("Content-Type", "multipart/form-data; boundary=x"), ("Host", "evil.example"), ("Host", ""),
    ("Host", "localhost:99999"), ("Host", "localhost, evil.example"), ("Origin", "http://evil.example"),
    ("Origin", "null"), ("Referer", "http://evil.example/"), ("Expect", "100-continue"), ("Expect", "nonsense"),
    ("Connection", "close"), ("Connection", "upgrade"), ("Upgrade", "h2c"), ("Upgrade", "websocket"),
    ("Content-Encoding", "gzip"), ("Accept-Encoding", "gzip, br"), ("Accept", "x" * 5000), ("Cookie", "a=b;" * 900),
    ("MPin-Attempt", "\u00ff" * 40), ("MPin-Attempt", "0123456789abcdef"), ("X-MIRACL-Client-ID", "' OR 1=1"),
    ("X-Forwarded-For", "203.0.113.9"), ("Range", "bytes=0-"), ("If-None-Match", "*"), ("Authorization", "Basic e"),
    ("User-Agent", "\t \u00e9"), ("X" * 9000, "x"), ("Transfer-Encoding", "gzip"), ("TE", "trailers"),
]


def spoil_headers(random, request):
    request.headers += [random.choice(HEADERS) for _ in range(random.choice([1, 1, 1, 2, 50]))]


SPOILERS = [spoil_json] * 5 + [spoil_query] * 2 + [spoil_path] * 2 + [spoil_method, spoil_headers]


def spoil(random, request):
    """Mostly one fault, now and then several, now and then none."""
    for _ in range(random.choice([0, 1, 1, 1, 1, 1, 2, 3])):
        spoiler = random.choice(SPOILERS)
        if spoiler is spoil_json and request.body is None and random.random() < 0.7:
            spoiler = spoil_query
        spoiler(random, request)
    return request
