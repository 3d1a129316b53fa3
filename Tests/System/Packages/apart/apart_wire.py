# SPDX-License-Identifier: Apache-2.0
# What the two machines share: names and addresses, copies of the packages, and how the login host runs
# commands on the server.
import shlex

from machine import carried, run

# The addresses that `boot` assigns.
HOST, SERVER = "192.0.2.2", "192.0.2.1"
NAME = "login.example.org"
URL = f"https://{NAME}"
CA = "/etc/mpin/ca.pem"


def named(address, name):
    """Gives this machine that name, and adds the server's name to its hosts file."""
    run("hostname", name)
    with open("/etc/hosts", "w") as file:
        file.write(f"127.0.0.1 localhost\n{address} {name}\n{SERVER} {NAME}\n")
    carried("/srv")


def there(*words, status=0):
    """Runs a command as root on the server: what it prints."""
    return run("runuser", "-u", "alice", "--", "ssh", NAME, "sudo " + shlex.join(words), status=status)


def shell(script, status=0):
    return there("sh", "-euc", script, status=status)
