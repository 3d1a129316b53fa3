# SPDX-License-Identifier: Apache-2.0
# What two machines need to know of each other, the packages as somebody has copied them there, and how the
# login host reaches the server.
import shlex

from machine import carried, run

# As `boot` has plugged them.
HOST, SERVER = "192.0.2.2", "192.0.2.1"
NAME = "login.example.org"
URL = f"https://{NAME}"
CA = "/etc/mpin/ca.pem"


def named(address, name):
    """This machine has that name, and finds the server by its own."""
    run("hostname", name)
    with open("/etc/hosts", "w") as file:
        file.write(f"127.0.0.1 localhost\n{address} {name}\n{SERVER} {NAME}\n")
    carried("/srv")


def there(*words, status=0):
    """What a command of root's on the server says."""
    return run("runuser", "-u", "alice", "--", "ssh", NAME, "sudo " + shlex.join(words), status=status)


def shell(script, status=0):
    return there("sh", "-euc", script, status=status)
