# SPDX-License-Identifier: Apache-2.0
# The sandbox itself: changes made inside stay inside. `run` checks this from outside afterwards.
import socket
import subprocess

from support import CHECKOUT, equal


def test_marks_everywhere(request):
    """every folder accepts a file with the mark, and a process and an account of this name can be made"""
    mark = request.config.getoption("sandbox_mark")
    for folder in "/etc", "/home", "/root", "/run", "/tmp", "/usr/lib", "/var/lib", "/dev":
        with open(f"{folder}/{mark}", "w") as file:
            file.write(mark)
    subprocess.Popen([mark, "100000"], executable="/bin/sleep")
    subprocess.run(["useradd", mark], check=True)


def test_checkout_is_read_only():
    """the checkout cannot be written"""
    try:
        open(f"{CHECKOUT}/mark", "w")
    except OSError as error:
        equal(error.errno, 30)
    else:
        raise AssertionError("it was written")


def test_network_is_private():
    """no other machine can be reached"""
    with socket.socket() as outside:
        outside.settimeout(1)
        try:
            outside.connect(("192.0.2.1", 80))
        except OSError as error:
            equal(error.errno, 101)
        else:
            raise AssertionError("connected")
