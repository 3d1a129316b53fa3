# SPDX-License-Identifier: Apache-2.0
# How a request is broken: its values, its JSON, its address and its headers. Each function takes a random
# source.
import json

HEX = "0123456789abcdef"
METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "CONNECT", "PRI", "get",
           "X" * 300, "P\u00d6ST", "GET\tPOST"]
VALUES = [None, True, False, 0, -1, 1.5, 2**31, 2**63, -2**63 - 1, 2**64, 10**4000, 1e308, float("inf"),
          float("nan"), "", " ", "0", "\x00", "zz", "\ud800", "\U0001f511\u202e\u0301" * 40, "%00%ff",
          "../../etc", "' OR 1=1 --", "${x}\r\nSet-Cookie: a=b", [], {}, "04" + "0" * 128, "04" + "f" * 128,
          "0" * 130, b'{"userID":1}'.hex(), b"\xff\xfe{".hex(), b'{"userID":"\\ud800","mobile":1e99}'.hex()]
LENGTHS = [1, 2, 31, 32, 33, 63, 64, 65, 128, 129, 130, 131, 132, 1000]
LONG = [255, 256, 4096, 60_000, 70_000]
PREFIXES = ["00", "02", "03", "04", "05", "06"]
QUERIES = ["", "%", "%zz", "&&==", "a" * 9000, "%00", "\u00e9"]
HEADERS = [
    ("Content-Type", "application/x-www-form-urlencoded"), ("Content-Type", "text/plain"),
    ("Content-Type", "application/json; charset=utf-16"), ("Content-Type", "application/json, text/html"),
    ("Content-Type", ""),
    ("Content-Type", "multipart/form-data; boundary=x"), ("Host", "evil.example"), ("Host", ""),
    ("Host", "localhost:99999"), ("Host", "localhost, evil.example"), ("Origin", "http://evil.example"),
    ("Origin", "null"), ("Referer", "http://evil/"), ("Expect", "100-continue"), ("Expect", "nonsense"),
    ("Connection", "close"), ("Connection", "upgrade"), ("Upgrade", "h2c"), ("Upgrade", "websocket"),
    ("Content-Encoding", "gzip"), ("Accept-Encoding", "gzip, br"), ("Accept", "x" * 5000),
    ("Cookie", "a=b;" * 900), ("MPin-Attempt", "\u00ff" * 40), ("MPin-Attempt", "0123456789abcdef"),
    ("X-MIRACL-Client-ID", "' OR 1=1"), ("X-Forwarded-For", "203.0.113.9"), ("Range", "bytes=0-"),
    ("If-None-Match", "*"), ("Authorization", "Basic e"), ("User-Agent", "\t \u00e9"), ("X" * 9000, "x"),
    ("Transfer-Encoding", "gzip"), ("TE", "trailers"),
]


def digits(random, count):
    return f"{random.getrandbits(4 * count):0{count}x}"


def nested(depth, value):
    for level in range(depth):
        value = [value] if level % 2 else {"a": value}
    return value


def identity(random):
    """An identity that is not registered."""
    return json.dumps({"mobile": 1, "userID": digits(random, 8), "salt": digits(random, 32)}).encode().hex()


MADE = [
    identity, lambda random: digits(random, random.choice(LENGTHS)), lambda random: "a" * random.choice(LONG),
    lambda random: random.choice(PREFIXES) + digits(random, random.choice([0, 64, 128])),
    lambda random: ["x"] * random.randint(1, 5000),
    lambda random: nested(random.choice([3, 200, 900]), 1),
    lambda random: {digits(random, 8): digits(random, 8) for _ in range(random.randint(1, 1000))},
    lambda random: (b"[" * random.randint(1, 10_000)).hex(),
]


def any_value(random):
    return random.choice(VALUES) if random.random() < 0.6 else random.choice(MADE)(random)


def near(random, value):
    """A text that is almost the right one."""
    if not isinstance(value, str) or not value:
        return any_value(random)
    wrong = random.choice([random.choice(HEX), "g", "\u0430", "\x00", ""])
    place = random.randrange(len(value))
    return random.choice([
        value[:place] + wrong + value[place + 1:], value[:place], value + wrong, value.upper(), " " + value,
        "0x" + value, value * 2, value[::-1], [value]])


def spoil_json(random, request):
    """One value of the body, at any depth: changed, removed, or renamed."""
    if not isinstance(request.body, dict):
        request.body = any_value(random)
        return
    request.body = at = dict(request.body)
    while (inner := [v for v in at.values() if isinstance(v, dict) and v]) and random.random() < 0.8:
        at = random.choice(inner)
    name, kind = random.choice(list(at) or ["x"]), random.random()
    if kind < 0.2:
        at.pop(name, None)
    elif kind < 0.3:
        at[random.choice([name.upper(), name + " ", "__proto__", "", name * 100])] = at.pop(name, 1)
    else:
        at[name] = near(random, at.get(name)) if kind < 0.65 else any_value(random)


def spoil_query(random, request):
    """One pair of the query: without value, repeated, removed, or with another value."""
    if not request.query:
        request.query = [(digits(random, 4), random.choice(QUERIES))]
        return
    place = random.randrange(len(request.query))
    name, value = request.query[place]
    request.query[place:place + 1] = random.choice([
        [], [(name, "")], [(name, value)] * 2, [(name, value), (name, "x")], [(name + "[]", value)],
        [(name.upper(), value)], [(name, near(random, value))], [(name, near(random, value))],
        [(name, any_value(random))], [(name, any_value(random))]])


def spoil_path(random, request):
    """The address: other separators, other case, other lengths, other segments."""
    path = request.path
    parts = path.split("/")
    place = random.randrange(len(parts))
    parts[place] = str(random.choice([near(random, parts[place]), any_value(random)]))
    request.path = random.choice([
        "/".join(parts), "/".join(parts), "/".join(parts), path + "/", "/" + path, path.replace("/", "//"),
        "/." + path, "/x/.." + path, path + "/..", path.upper(), path.replace("/", "%2f"), path + "%00",
        path + ";a=b", path + "#f", path + "?", path[1:], "*", "", "http://localhost" + path, "\\" + path,
        path + "/" + "a/" * random.randint(1, 2000), "/" + "%41" * random.randint(1, 5000), path + "\x7f",
        "/\u00e9" + path, path + "%c0%af", path + "%zz", "//evil.example" + path, path + " x"])


def spoil_method(random, request):
    request.method = random.choice(METHODS)


def spoil_headers(random, request):
    request.headers += [random.choice(HEADERS) for _ in range(random.choice([1, 1, 1, 2, 50]))]


SPOILERS = [spoil_json] * 5 + [spoil_query] * 2 + [spoil_path] * 2 + [spoil_method, spoil_headers]


def spoil(random, request):
    """Mostly one fault, sometimes several, sometimes none."""
    for _ in range(random.choice([0, 1, 1, 1, 1, 1, 2, 3])):
        spoiler = random.choice(SPOILERS)
        if spoiler is spoil_json and request.body is None and random.random() < 0.7:
            spoiler = spoil_query
        spoiler(random, request)
    return request
