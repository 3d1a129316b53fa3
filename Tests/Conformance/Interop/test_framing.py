# SPDX-License-Identifier: Apache-2.0
# HTTP itself: connections that stay open, requests that end early, and what clients other than the core send.
from support import equal
from support.stream import Closed, Stream
from support.wire import host_name

PATIENCE = 60
BODY = b'{"userId": "nobody"}'


def head(mpind, first, *fields):
    host = b"Host: " + host_name(mpind.addresses[0]).encode()
    return b"\r\n".join([first + b" HTTP/1.1", host, *fields, b"", b""])


def asks(mpind, *octets):
    """Sends these octets at once: the status of each answer, up to the end of the connection."""
    stream = Stream(mpind.addresses[0], PATIENCE)
    stream.send(b"".join(octets))
    stream.ends()
    answers = []
    try:
        while True:
            answers.append(stream.answer("GET")[0])
    except Closed:
        stream.close()
        return answers


def goes_on(mpind, *first):
    """After this request and its answer the next one is answered, or the connection has ended."""
    stream = Stream(mpind.addresses[0], PATIENCE)
    stream.send(b"".join(first))
    stream.answer(first[0].split()[0].decode())
    equal(stream.read, b"", "after the answer")
    stream.send(head(mpind, b"GET /status"))
    try:
        equal(stream.answer("GET")[0], 200)
    except Closed:
        pass
    stream.close()


def test_pipelined(mpind):
    """Three requests in one packet get three answers in their order, whatever follows them."""
    three = [head(mpind, b"GET /status"), head(mpind, b"GET /nothing"), head(mpind, b"GET /service")]
    equal(asks(mpind, *three), [200, 404, 200])
    equal(asks(mpind, *three, b"GET /sta")[:3], [200, 404, 200])


def test_misframed(mpind):
    """A request whose length is ambiguous is refused, and ends its connection."""
    typed = b"Content-Type: application/json"
    for fields in [[b"Content-Length: 20", b"Transfer-Encoding: chunked"], [b"Content-Length : 20"],
                   [b"Content-Length: 2", b"Content-Length: 20"], [b"Content-Length: -1"],
                   [b"Content-Length: +20"], [b"Content-Length: 20", b" folded"]]:
        answers = asks(mpind, head(mpind, b"PUT /rps/user", typed, *fields), BODY)
        equal(answers, [400], fields)


def test_hung_up(mpind):
    """A client that continues after a malformed request gets the end of the connection, and does not
    block."""
    stream = Stream(mpind.addresses[0], PATIENCE)
    stream.send(b"\x00" * 3_000_000)
    equal(stream.answer("GET")[0], 400)
    stream.close()


def test_told_to_continue(mpind):
    """A client that waits before its body, as libcurl does with a PUT, gets `100 Continue` at once."""
    stream = Stream(mpind.addresses[0], PATIENCE)
    stream.send(head(mpind, b"PUT /rps/user", b"Content-Type: application/json", b"Expect: 100-continue",
                     b"Content-Length: %d" % len(BODY)))
    assert stream.socket.recv(100).startswith(b"HTTP/1.1 100 ")
    stream.send(BODY)
    equal(stream.answer("PUT")[0], 200)


def test_bodiless(mpind):
    """The answer to HEAD has no body, so that the next answer can be found."""
    for path in b"/status", b"/nothing", b"/rps/pass1":
        goes_on(mpind, head(mpind, b"HEAD " + path))


def test_no_other_protocol(mpind):
    """A request for another protocol is not followed, and the next request is answered."""
    for wanted in b"h2c", b"websocket":
        goes_on(mpind, head(mpind, b"GET /status", b"Connection: Upgrade", b"Upgrade: " + wanted))
    goes_on(mpind, head(mpind, b"CONNECT localhost:80"))
