# SPDX-License-Identifier: Apache-2.0
# The server as the scenarios see it: its answers at its sockets, and its journal.
import socket

from machine import run

PUBLIC = "/run/mpind/mpind.sock"


def ask(path="/status", address=PUBLIC):
    """The status of one request on a new connection."""
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
    name = "localhost" if isinstance(address, str) else "%s:%d" % address
    with socket.socket(family) as client:
        client.settimeout(60)
        client.connect(address)
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n\r\n".encode())
        return client.makefile("rb").readline().split()[1].decode()


def journal(*but, unit="mpind"):
    """The journal of a unit and its manager, without lines that begin with certain words."""
    run("journalctl", "--sync")
    lines = run("journalctl", f"--unit={unit}", "--output=cat", "--no-pager").splitlines()
    return [line for line in lines if not line.startswith(but)]
