# SPDX-License-Identifier: Apache-2.0
# Run by `bench` in the sandbox: prints durations and checks nothing.
import contextlib
import math
import os
import socket
import statistics
import subprocess
import time

import handshakes
import house
import waits
from crowds import TCP, TCP6, UNIX, Crowd, Server, listening, restart
from device import PIN, another_device
from house import HERE
from support import replaced

LOAD = """
import ctypes, time
for name in "libpam.so.0", "libcrypto.so.3", "libqrencode.so.4", "libm.so.6":
    ctypes.CDLL(name)
before = time.perf_counter()
ctypes.CDLL("%s", mode=2)
print((time.perf_counter() - before) * 1000)
"""


def load(path):
    runs = [float(house.run("/usr/bin/python3", "-c", LOAD % path)) for _ in range(40)]
    return f"{min(runs):.2f} ms at least, {statistics.median(runs):.2f} ms median of 40"


module = f"{house.CHECKOUT}/build/pam_mpin.so"
print(f"module load beyond its libraries: {load(module)}; {os.path.getsize(module)} bytes")
print(f"pam_permit, for comparison:       {load(house.MODULES + '/pam_permit.so')}")
site = house.site()
for _ in range(3):
    reading, writing = os.pipe()
    os.write(writing, (site.alice + "\n").encode())
    os.close(writing)
    subprocess.run(["mpin", "test", "alice", "--pin-fd", str(reading)], pass_fds=[reading])


def percentile(seconds, part):
    return sorted(seconds)[math.ceil(len(seconds) * part) - 1] * 1000


def seconds_of_login():
    login = house.Login("mpin", "alice", site.alice)
    assert login.code == "SUCCESS", login.code
    return login.seconds


def logins(count, one=seconds_of_login):
    """How long each of `count` logins takes; a refused login ends the bench."""
    seconds = [one() for _ in range(count)]
    return (f"{percentile(seconds, 0.5):.0f} ms median, {percentile(seconds, 0.99):.0f} ms at p99,"
            f" {max(seconds) * 1000:.0f} ms at most, of {count}")


waits.here(logins)
with listening():
    server = Server()
    print(f"logins alone:                     {logins(100)}")
    memory = server.memory()
    crowds = [Crowd("half", 1250, UNIX), Crowd("ask", 1250, TCP, "127.0.0.0/8"),
              Crowd("drip", 1250, TCP6, "2001:db8:1:1::/64"), Crowd("silent", 1250, TCP6, "2001:db8:2::/48")]
    for crowd in crowds:
        crowd.__enter__()
    print(f"beside 5,000 hostile connections: {logins(100)}")
    print(f"descriptors: {server.connections()}; memory: {memory:.0f} MiB, now {server.memory():.0f} MiB")
    for crowd in crowds:
        crowd.__exit__()
        print(f"a crowd did: {crowd.told}")


# TLS that mpind terminates itself.
PORT, KEY, CERTIFICATE = 8443, "/etc/ssl/bench.key", "/etc/ssl/bench.pem"
REQUEST = b"GET /status HTTP/1.1\r\nHost: localhost:%d\r\nConnection: close\r\n\r\n" % PORT


@contextlib.contextmanager
def served_by_tls(public=PORT):
    house.run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
              "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
              "-keyout", KEY, "-out", CERTIFICATE)
    os.chmod(CERTIFICATE, 0o644)
    with open(house.MPIND_CONF) as conf:
        lines = [line for line in conf if not line.startswith("public-url")]
    more = (f"listen = 127.0.0.1:{PORT}\npublic-url = https://localhost:{public}\n"
            f"tls-certificate = {CERTIFICATE}\ntls-key = {KEY}\n")
    try:
        with replaced(house.MPIND_CONF, "".join(lines) + more):
            restart()
            yield
    finally:
        restart()


def processor():
    """Seconds of processor time that the server has used."""
    with open(f"{Server().folder}/stat") as file:
        user, system = file.read().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def cost(connect, count=1000):
    """Milliseconds of the server's processor time for one request on a new connection."""
    before = processor()
    for _ in range(count):
        with connect() as connection:
            connection.sendall(REQUEST)
            answer = b""
            while more := connection.recv(65536):
                answer += more
            assert answer.startswith(b"HTTP/1.1 200 "), answer
    return (processor() - before) * 1000 / count


def local():
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(house.PUBLIC)
    return connection


def timed(act):
    begin = time.monotonic()
    act()
    return time.monotonic() - begin


with served_by_tls():
    context = handshakes.client(CERTIFICATE)
    costs = [(cost(lambda: handshakes.connected(context, PORT)), cost(local)) for _ in range(3)]
    print("mpind's processor time for a connection with one request, three times:")
    for name, of in ("full TLS 1.3 handshake", 0), ("without TLS", 1):
        print(f"    {name + ':':30}" + ", ".join(f"{cost[of]:.2f} ms" for cost in costs))
    phone = another_device("--ca-file", CERTIFICATE, identity="carol@example.org",
                           backend=f"https://localhost:{PORT}")

    def distant():
        return timed(lambda: phone.mpin("otp", pin=PIN))

    print(f"logins over TLS alone (mpin otp):  {logins(100, distant)}")
    flood = subprocess.Popen(
        ["/usr/bin/python3", "-B", os.path.join(HERE, "durations", "handshakes.py"), str(PORT), CERTIFICATE]
        + [f"127.0.3.{number}" for number in range(1, 17)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert flood.stdout.readline() == "here\n", "the flood did not start"
    began, used = time.monotonic(), processor()
    print(f"logins beside handshakes:         {logins(100)}")
    print(f"logins over TLS beside them:      {logins(100, distant)}")
    took, used = time.monotonic() - began, processor() - used
    told, _ = flood.communicate("\n", timeout=60)
    print(f"the flood did in {took:.0f} s: {told.strip()}; mpind used {used:.1f} s of processor time")

with served_by_tls(public=waits.PORT):
    waits.far_away(logins, CERTIFICATE, PORT)
