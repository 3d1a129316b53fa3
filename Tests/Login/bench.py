# SPDX-License-Identifier: Apache-2.0
# Run by `bench` in the sandbox: prints times, decides nothing.
import math
import os
import statistics
import subprocess

import house
from crowds import TCP, TCP6, UNIX, Crowd, Server, listening

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
    return f"{min(runs):.2f} ms at least, {statistics.median(runs):.2f} ms in the middle of 40"


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


def logins(count):
    """How long so many logins of alice take, each; one that is refused ends the bench."""
    seconds = []
    for _ in range(count):
        login = house.Login("mpin", "alice", site.alice)
        assert login.code == "SUCCESS", login.code
        seconds.append(login.seconds)
    return (f"{percentile(seconds, 0.5):.0f} ms in the middle, {percentile(seconds, 0.99):.0f} ms at p99,"
            f" {max(seconds) * 1000:.0f} ms at most, of {count}")


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
