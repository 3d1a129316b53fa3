# SPDX-License-Identifier: Apache-2.0
# What the two machines share: names and addresses, copies of the packages, and how the login host runs
# commands on the server.
import shlex
import socket
import ssl

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


def shown(ca=CA, port=443):
    """The certificate that a client gets which trusts only this CA."""
    context = ssl.create_default_context(cafile=ca)
    with socket.create_connection((NAME, port), timeout=60) as wire:
        with context.wrap_socket(wire, server_hostname=NAME) as line:
            return line.getpeercert(binary_form=True)


def status(port=443, ca=CA, headers=""):
    """The status of one request."""
    context = ssl.create_default_context(cafile=ca)
    with socket.create_connection((NAME, port), timeout=60) as wire:
        with context.wrap_socket(wire, server_hostname=NAME) as line:
            head = f"GET /status HTTP/1.1\r\nHost: {NAME}\r\n{headers}Connection: close\r\n\r\n"
            line.sendall(head.encode())
            return line.makefile("rb").readline().split()[1].decode()


def assert_closed():
    try:
        status()
    except OSError:
        return
    raise AssertionError("a server answers at port 443")
