# SPDX-License-Identifier: Apache-2.0
# What two machines need to know of each other, and the packages as somebody has copied them there.
import glob
import os
import shutil

from machine import run

# As `boot` has plugged them.
HOST, SERVER = "192.0.2.2", "192.0.2.1"


def named(address, name):
    """This machine has that name, and finds the server by its own."""
    run("hostname", name)
    with open("/etc/hosts", "w") as file:
        file.write(f"127.0.0.1 localhost\n{address} {name}\n{SERVER} login.example.org\n")
    with open("/etc/apt/apt.conf.d/tests", "w") as file:
        file.write('APT::Get::Assume-Yes "true";\nAPT::Install-Recommends "false";\n')
    for package in glob.glob("/debs/now/*.deb"):
        shutil.copy(package, "/srv")
    os.chmod("/srv", 0o777)
