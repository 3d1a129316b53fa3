# SPDX-License-Identifier: Apache-2.0
# Two clients of a proxy that does not buffer requests: `proxy_clients.py SOCKET SITE` takes the place of the
# proxy. One client begins many requests without sending their bodies; then the other one sends a request.
# Prints the answers to each.
import collections
import os
import re
import socket
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

from support import wire  # noqa: E402

SOCKET, SITE = sys.argv[1:]
SLOW, OTHER = "192.0.2.66", "192.0.2.77"
# More connections than mpind accepts from proxies.
COUNT = 700
# The most requests of one client at a time.
SHARE = 64
# How long mpind waits for a body, less two seconds. A round that took longer shows nothing, because other
# work on this machine may have slowed it.
BODY = 8


def connected():
    return wire.connected(f"unix:{SOCKET}", 60)


def head(client, method="POST", path="/rps/codeStatus", length=60):
    return (f"{method} {path} HTTP/1.1\r\nHost: {SITE}\r\nX-Forwarded-For: {client}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n").encode()


def answer(connection):
    """The status and the headers in lower case; 0 for a connection that ended."""
    text = b""
    try:
        while b"\r\n\r\n" not in text and (more := connection.recv(65536)):
            text += more
    except ConnectionError:
        pass
    said = re.match(rb"HTTP/1.1 (\d+) ", text)
    return int(said[1]) if said else 0, text.lower()


def status(client, connection=None):
    """The status of one complete request."""
    try:
        connection = connection or connected()
        connection.sendall(head(client, "GET", "/status", 0))
    except OSError:
        return 0
    return answer(connection)[0]


def is_over(connection):
    """The connection was answered, or closed without an answer, as mpind does while all its places are
    taken."""
    connection.settimeout(0)
    try:
        connection.recv(1, socket.MSG_PEEK)
        return True
    except BlockingIOError:
        return False
    except OSError:
        return True
    finally:
        connection.settimeout(60)


def settled(connections, waiting):
    """The connections that are over, once only `waiting` others are left or a minute has passed; they are
    checked again a moment later, because none of the others may end."""
    end = time.monotonic() + 60
    over = []
    while len(connections) - len(over) > waiting and time.monotonic() < end:
        time.sleep(0.05)
        over = [connection for connection in connections if is_over(connection)]
    time.sleep(0.3)
    return [connection for connection in connections if is_over(connection)]


def slowed(count):
    """Connections of the slow client, each with half a body."""
    for _ in range(count):
        connection = connected()
        try:
            connection.sendall(head(SLOW) + b'{"status":')
            yield connection
        except OSError:
            pass  # Refused before its head was sent.


for _ in range(10):
    began = time.monotonic()
    slow = list(slowed(COUNT))
    time.sleep(0.3)
    other = status(OTHER)
    refused = settled(slow, SHARE)
    took = time.monotonic() - began
    told = [answer(connection) for connection in refused]
    if took < BODY:
        break
    for connection in slow:
        connection.close()
print("other", other)
print("other soon", "yes" if took < BODY else "no")
print("slow waiting", min(len(slow) - len(refused), 99))
print("slow told", *sorted(collections.Counter(status for status, _ in told if status)))
spoken = [text for status, text in told if status]
print("retry-after", "yes" if spoken and all(b"retry-after: 1\r\n" in text for text in spoken) else "no")

# A client that sends the rest of the body keeps the connection, and the proxy uses it for another client.
# Requests that have waited for a second would give way to it, so the share is filled anew.
body = b'{"status":"wid","wid":"00000000000000000000000000000000"}   '
code, end = 0, time.monotonic() + 60
while code != 429 and time.monotonic() < end:
    slow += slowed(SHARE)
    extra = connected()
    extra.sendall(head(SLOW, length=len(body)) + body)
    code = answer(extra)[0]
print("over the share", code)
time.sleep(1.5)
print("other on that connection", status(OTHER, extra))
for connection in slow:
    connection.close()
end = time.monotonic() + 60
while status(SLOW) == 429 and time.monotonic() < end:
    time.sleep(0.1)
print("slow afterwards", status(SLOW))
