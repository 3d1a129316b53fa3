# SPDX-License-Identifier: Apache-2.0
# A second device: its own token, what it approves and what not, with a real mpind.
import contextlib
import json
import os
import re
import socket
import subprocess

from console import Console
from device import PIN, Device, another_device, device
from house import MPIND_CONF, PUBLIC, as_user, finish, plain, run, site, spawn
from proxy import Changes, Front, Proxy, Rewrites
from support import equal, eventually, replaced, within
from test_faults import PROXY

GRANTED, WRONG, NOT_APPROVED = 0, 1, 5
REFUSED, BROKEN, CANCELLED = 1, 2, 4


def codestatus(proxy):
    return [path for path in proxy.calls if "codeStatus" in path]


def test_personal_enrolment():
    """users make devices of their own without root, in a folder that is closed to all other accounts"""
    phone = device()
    within(json.dumps(phone.enrolled), '"proved": true', '"origin": "unix"')
    modes = {oct(os.stat(f"{phone.tokens}{name}").st_mode & 0o7777) for name in ("", "/users")}
    equal(modes, {"0o700"})
    uid = run("id", "-u", "alice").strip()
    info = os.stat(f"{phone.tokens}/users/{uid}")
    equal((oct(info.st_mode & 0o7777), str(info.st_uid)), ("0o600", uid))
    within(open(f"{phone.tokens}/users/{uid}").read(), "mpin-device = 1\n", f"[{phone.id}]",
           f"backend = unix:{PUBLIC}\n")


def test_another_home():
    """sudo with another user's HOME neither makes nor reads a personal token"""
    device()
    for home, state in ("/home/alice", None), ("/home/bob", None), ("/root", "/home/alice/.local/state"):
        environment = {**os.environ, "HOME": home, **({"XDG_STATE_HOME": state} if state else {})}
        for words in (["approve", "3232212"],
                      ["enroll", "--personal", "--identity", "x", "--backend", f"unix:{PUBLIC}"]):
            done = subprocess.run(["mpin", *words], env=environment, capture_output=True, text=True)
            equal(done.returncode, BROKEN, done.stderr)
            within(done.stderr, "belongs to another user")
    assert not os.path.exists("/home/bob/.local")


def test_approved_by_number():
    """a number approves exactly the login that shows it, and the code is the one that the host computes"""
    phone = another_device()
    first, second = Console([phone.id]), Console([phone.id], service="sudo", source="local:1000")
    number = f"{first.number[:3]}-{first.number[3:]}"
    done = phone.approve(number)
    equal([done[key] for key in ("approved", "account", "host", "service", "source", "attempt")],
          [True, "alice", "sandbox", "sshd", "203.0.113.9", first.attempt])
    equal(f"{done['code'][:3]}-{done['code'][3:]}", first.approval_code)
    equal(first.verdict(), (200, GRANTED, phone.id))
    equal(second.verdict()[:2], (408, NOT_APPROVED))


def test_logs_are_joined():
    """the device's requests are in the server's log under the attempt of the console"""
    phone = another_device()
    console = Console([phone.id])
    phone.approve(console.number)
    log = eventually(lambda: [line for line in open("/var/log/mpind.log") if console.attempt in line],
                     "log lines of the attempt")
    routes = re.findall(r'route="([^"]*)"', "".join(log))
    for route in "codeStatus", "pass1", "pass2":
        assert route in routes, f"{route} is not in {routes}"


def test_seen_at_the_terminal():
    """the user sees details of the login in plain text before the PIN, and afterwards only the approval
    code"""
    phone = another_device()
    console = Console([phone.id], account="al\x1b[2Jice", source="203.0.113.9")
    child = spawn(*as_user(phone.user), "mpin", "approve", console.number)
    child.expect("PIN, if that is you: ")
    child.waitnoecho()
    # Checks the screen as it came, before anything is stripped from it.
    within(child.before, "sandbox", "al?[2Jice", "sshd", "203.0.113.9")
    assert "\x1b" not in child.before
    child.sendline(PIN)
    screen, status = finish(child)
    equal(status, 0, screen)
    within(plain(screen), f"Type this approval code at the console: {console.approval_code}")


def test_nothing_typed():
    """Enter alone or Ctrl-C approve nothing and send nothing; the login can still be approved"""
    phone = another_device()
    console = Console([phone.id])
    for typed in "", None:
        child = spawn(*as_user(phone.user), "mpin", "approve", console.number)
        child.expect("PIN, if that is you: ")
        child.waitnoecho()
        child.sendintr() if typed is None else child.sendline(typed)
        screen, status = finish(child)
        equal(status, CANCELLED, screen)
        within(screen, "Nothing was approved")
    equal(phone.approve(console.number)["approved"], True)
    equal(console.verdict(), (200, GRANTED, phone.id))


def test_denied():
    """a login that is denied has ended: it cannot be approved, and the console is told"""
    phone = another_device()
    console = Console([phone.id])
    done = phone.approve(console.number, "--deny")
    equal([done["denied"], done["approved"], done.get("code")], [True, False, None])
    phone.approve(console.number, status=REFUSED)
    equal(console.verdict()[:2], (408, NOT_APPROVED))


def test_wrong_pin():
    """with a wrong PIN a device neither approves nor denies, and with the right one it does"""
    phone = another_device()
    console = Console([phone.id])
    within(phone.approve(console.number, pin="Osprey-28", status=REFUSED)["error"]["message"], "Wrong PIN")
    phone.approve(console.number, "--deny", pin="Osprey-28", status=REFUSED)
    equal(phone.approve(console.number)["approved"], True)
    equal(console.verdict(), (200, GRANTED, phone.id))


def test_not_bound():
    """a device that is not bound to the account cannot approve or deny, and does not disturb the login"""
    phone, stranger = another_device(), another_device()
    console = Console([phone.id])
    within(stranger.approve(console.number, status=REFUSED)["error"]["message"], "No login of yours")
    stranger.approve(console.number, "--deny", status=REFUSED)
    equal(phone.approve(console.number)["approved"], True)
    equal(console.verdict(), (200, GRANTED, phone.id))


def test_used_once():
    """an approval that was fetched cannot be used again, and an unknown session cannot be approved"""
    phone = another_device()
    console = Console([phone.id])
    phone.approve(console.number)
    equal(console.verdict()[1], GRANTED)
    assert console.verdict()[1] != GRANTED, "granted twice"
    phone.approve(console.number, status=REFUSED)
    within(phone.approve("3232212", status=REFUSED)["error"]["message"], "No login of yours")


def test_wrong_number():
    """a number with a wrong digit, or text that is not a number, is refused before anything is sent"""
    with Proxy(PROXY, PUBLIC) as proxy:
        phone = another_device(backend=f"unix:{PROXY}")
        del proxy.calls[:]
        other = Device(phone.user, "other@phone.example.org")
        for typed in "3232213", "323221", "0000000", "hello", "https://login.example.org/":
            phone.approve(typed, "--identity", phone.id, status=REFUSED)
        equal(proxy.calls, [])
        phone.approve("3232212", "--identity", phone.id, status=REFUSED)
        equal(len(codestatus(proxy)), 1)
        # With two tokens the command does not guess which one to use.
        assert other.id != phone.id
        equal(phone.approve("3232212", status=BROKEN)["error"]["kind"], "settings")


def test_man_in_the_middle():
    """an attacker between device and server who changes what is shown gets no V, and does no damage"""
    def swap(old, new):
        return lambda body: body.replace(old.hex().encode(), new.hex().encode())

    def seen(old, new):
        return Changes("codeStatus", swap(old, new))

    def drop_n(body):
        message = json.loads(body)
        del message["n"]
        return json.dumps(message).encode()

    with Proxy(PROXY, PUBLIC) as proxy:
        phone = another_device(backend=f"unix:{PROXY}")
        console = Console([phone.id])
        for status, words, *faults in (
                (REFUSED, "not from your backend", seen(b"\0\4unix", b"\0\4unit")),
                (BROKEN, "is about another login", seen(console.number.encode(), b"3232212")),
                (BROKEN, "belongs to another login", seen(b"alice", b"bobby"),
                 Rewrites("pass1", swap(b"bobby", b"alice"))),
                (BROKEN, "Only mpind can be used with --personal", Changes("pass1", drop_n))):
            proxy.faults = faults
            del proxy.calls[:]
            within(phone.approve(console.number, status=status)["error"]["message"], words)
            equal([path for path in proxy.calls if "pass2" in path], [])
        # The answer of a Milagro server about a session.
        proxy.faults = [Changes("codeStatus", lambda _: b'{"PrerollId": "", "AppName": "x"}')]
        for said in (phone.approve(console.number, status=BROKEN),
                     phone.mpin("session", console.number, status=BROKEN)):
            within(said["error"]["message"],
                   "a login waits, but mpin cannot approve logins at a Milagro server")
        # A proof for details that no host sent does not open a login.
        proxy.faults = [seen(b"alice", b"bobby")]
        within(phone.approve(console.number, status=REFUSED)["error"]["message"], "No login of yours")
        equal(console.verdict()[:2], (408, NOT_APPROVED))
        proxy.faults = []
        equal(phone.approve(console.number)["approved"], True)
    equal(console.verdict(), (200, GRANTED, phone.id))


@contextlib.contextmanager
def served_as(address):
    """mpind has this public address while the block runs."""
    server = site().mpind
    server.stop()
    with open(MPIND_CONF) as conf:
        others = [line for line in conf if not line.startswith("public-url")]
    with replaced(MPIND_CONF, "".join(others) + f"public-url = {address}\n"):
        server.start()
        try:
            yield
        finally:
            server.stop()
    server.start()


def test_approved_by_address():
    """the address in the QR code is accepted by the server that it names, over TLS, and by no other"""
    with Front(PUBLIC) as front, served_as(front.address):
        phone = another_device("--ca-file", front.certificate, backend=front.address)
        console = Console([phone.id])
        calls = len(front.calls)
        for other in "https://localhost", "https://localhost:1", "https://LOCALHOST.example:443":
            message = phone.approve(f"{other}/#{console.wid}", status=REFUSED)["error"]["message"]
            within(message, "not from your backend")
        equal(len(front.calls), calls)
        done = phone.approve(f"{front.address.upper()}/#{console.wid.upper()}")
        equal(f"{done['code'][:3]}-{done['code'][3:]}", console.approval_code)
        equal(console.verdict(), (200, GRANTED, phone.id))


def test_other_addresses():
    """an address that is not of the device's own server is refused before any request is sent"""
    phone, wid = device(), "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"
    uid = run("id", "-u", "alice").strip()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        path = f"{phone.tokens}/users/{uid}"
        text = open(path).read().replace(f"unix:{PUBLIC}", "https://login.example.org")
        with replaced(path, text):
            for address in (f"https://127.0.0.1:{port}/#{wid}", f"http://127.0.0.1:{port}/#{wid}",
                            f"https://login.example.org:{port}/#{wid}", f"http://login.example.org/#{wid}",
                            f"https://login.example.org@127.0.0.1:{port}/#{wid}",
                            f"https://login-example.org/#{wid}", f"https://lοgin.example.org/#{wid}",
                            f"https://login.example.org.evil.example/#{wid}",
                            f"https://127.0.0.1:{port}/?https://login.example.org/#{wid}"):
                done = phone.approve(address, status=REFUSED)
                message = done["error"]["message"]
                assert "not from your backend" in message or "neither a number" in message, message
        listener.settimeout(0)
        try:
            listener.accept()
        except BlockingIOError:
            return
        raise AssertionError("a request was sent")
