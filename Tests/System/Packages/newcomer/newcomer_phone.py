# SPDX-License-Identifier: Apache-2.0
# A phone on the first day, on one machine: README's commands as alice types them. A second device of dora
# takes the place of the phone's browser, over TLS and with the CA that README tells her to install.
import re
from urllib.parse import parse_qs, unquote

from machine import apt, packages
import host
from host import APPROVAL_CODE, DEVICE_PIN, NUMBER, PIN, Terminal, contents, equal, report, run, secretly
from host import sudo, within

OF_ALICE = "PIN for alice@debian: "
NAME = "login.example.org"


def commands():
    """The commands that README gives for a phone."""
    phone = contents("/tests.md").split("\n### A phone\n")[1].split("\n### ")[0]
    return re.findall(r"^    \$ sudo (.*)$", phone, re.MULTILINE)


def installed():
    """after the first sudo login by PIN the server has a Unix socket alone"""
    apt("install", *packages("now"))
    secretly("mpin", "setup", "--backend", "here", "--service", "sudo", "--user", "alice", "--yes", pin=PIN)
    with open("/etc/hosts", "a") as file:
        file.write(f"127.0.0.1 {NAME}\n")


def serves():
    """`mpind setup` gives the server TLS, and this host the address for phones"""
    terminal = Terminal("sudo", *commands()[0].split(), user="alice")
    terminal.answers(OF_ALICE, PIN)
    screen, status = terminal.ends()
    equal(status, 0)
    within(screen, "The server runs, with TLS on port 443.", f"phone-address = https://{NAME}/")
    page = run("python3", "-c", "import ssl, urllib.request as r; print(r.urlopen('https://" + NAME + "/', "
               "context=ssl.create_default_context(cafile='/etc/mpin/tls/ca.pem')).read())")
    within(page, "/page.js")


def enrols():
    """`mpin enroll --phone` enrols the phone by one address, and binds it by a second one and its code"""
    terminal = Terminal("sudo", *commands()[1].split(), "--print", user="alice")
    terminal.answers(OF_ALICE, PIN)
    terminal.child.expect(rf"https://{NAME}/#enrol\?(\S+)\s")
    said = parse_qs(terminal.child.match[1])
    phone("enroll", "--personal", "--identity", unquote(said["user"][0]), "--backend", f"https://{NAME}",
          "--ca-file", "/etc/mpin/tls/ca.pem", pin=DEVICE_PIN, code=said["code"][0])
    terminal.child.expect("Press Enter when the phone says that it is enrolled: ")
    terminal.types("")
    terminal.child.expect(rf"(https://{NAME}/#[0-9a-f]{{32}})\s")
    address = terminal.child.match[1]
    terminal.child.expect("Approval code from the phone: ")
    terminal.types(APPROVAL_CODE.search(phone("approve", address, pin=DEVICE_PIN))[0])
    terminal.child.expect(r"Bind it\? \[y/N\] ")
    terminal.types("y")
    equal(terminal.ends()[1], 0)


def phone(*command, **secrets):
    return secretly("mpin", *command, user="dora", **secrets)


def approves():
    """sudo then shows alice a number, and takes the phone's code, or her PIN"""
    terminal = sudo("alice")
    screen = terminal.shows("PIN or approval code from your phone: ")
    within(screen, f"https://{NAME}/#")
    number = "".join(NUMBER.search(screen).groups())
    terminal.types(APPROVAL_CODE.search(phone("approve", number, pin=DEVICE_PIN))[0])
    equal(terminal.ends(), ("\nroot\n", 0))
    terminal = sudo("alice")
    terminal.answers("PIN or approval code from your phone: ", PIN)
    equal(terminal.ends()[1], 0)


def looks():
    """`mpin doctor` finds no problem on such a machine, and says that phones need its CA"""
    # A machine with a list of public CAs, as ca-certificates makes it.
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
        "/CN=Public", "-keyout", "/run/public.key", "-out", "/etc/ssl/certs/ca-certificates.crt")
    findings = report("mpin", "doctor")["findings"]
    equal([finding for finding in findings if finding["level"] == "problem"], [])
    within({finding["word"] for finding in findings}, "page-own-ca")


host.accounts()
host.main(installed, serves, enrols, approves, looks)
