# SPDX-License-Identifier: Apache-2.0
# Run by `bench` in the sandbox: prints times, decides nothing.
import os
import statistics
import subprocess

import house

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
