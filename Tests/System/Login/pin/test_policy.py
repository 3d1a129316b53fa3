# SPDX-License-Identifier: Apache-2.0
# Which logins this module lets past, and which not: unenrolled, unavailable, spellings, damaged stores.
import contextlib
import os
import shutil
import socket
import ssl
import subprocess
import threading

from house import CONF, PUBLIC, REMOTE, STORE, Login, run, settings, site, stack
from support import CHECKOUT, LOG, equal, replaced, within

WRONG = "Kestrel-0000"
USERS = f"{STORE}/users"


def file_of(user):
    return f"{USERS}/{run('id', '-u', user).strip()}"


def carol():
    subprocess.run(["useradd", "carol"], capture_output=True)


def passes(user, *answers, **more):
    """Whether a stack lets users past who did not prove who they are."""
    return Login("mpin-or-pass", user, *answers, **more).code == "SUCCESS"


def test_not_enrolled():
    """a user who is not enrolled is refused, and passes only under unenrolled = ignore"""
    carol()
    login = Login("mpin", "carol", WRONG)
    equal(login.code, "USER_UNKNOWN")
    assert not passes("carol", WRONG)
    with settings("unenrolled = ignore"):
        mark = LOG.mark()
        assert passes("carol")
        _, pairs, line = LOG.record(mark)
        within(line, "not-enrolled")
        equal((pairs["policy"], pairs["user"]), ("ignore", "carol"))
        equal(Login("mpin", "carol").code, "PERM_DENIED", "ignore is the only result")
        assert not passes("alice", WRONG, WRONG, WRONG)


def test_spellings():
    """under unenrolled = ignore none of twenty spellings of an enrolled account passes"""
    alias = "alice:x:{uid}:{uid}::/home/alice:/bin/sh\n"
    uid = run("id", "-u", "alice").strip()
    known = ["ALICE", "Alice", "alice@corp", "corp\\alice", "alice.", "_alice", "root2"]
    names = [*known, "../alice", "./alice", ".", "..", "/", "", "alice ", " alice", "alice\n", "alice/",
             "a" * 300, "al\xefce", "alice;id", uid, f"users/{uid}", "alice\x7f", "%n%n%s"]
    with open("/etc/passwd") as file:
        before = file.read()
    aliases = "".join(alias.format(uid=uid).replace("alice", name, 1) for name in known)
    with replaced("/etc/passwd", before + aliases), settings("unenrolled = ignore"):
        for name in names:
            mark = LOG.mark()
            assert not passes(name, WRONG, WRONG, WRONG), repr(name)
            if name in known:
                equal(LOG.record(mark)[1]["problem"], "other-name")
            elif name:
                within(LOG.record(mark)[2], 'user="unknown"')


@contextlib.contextmanager
def moved(path):
    """The file is moved aside while the block runs, which may put another in its place."""
    os.rename(path, path + ".away")
    try:
        yield
    finally:
        if os.path.islink(path) or os.path.isfile(path):
            os.unlink(path)
        elif os.path.isdir(path):
            shutil.rmtree(path)
        elif os.path.exists(path):
            os.unlink(path)
        os.rename(path + ".away", path)


@contextlib.contextmanager
def mode(path, bits):
    before = os.stat(path).st_mode
    os.chmod(path, bits)
    try:
        yield
    finally:
        os.chmod(path, before & 0o7777)


@contextlib.contextmanager
def owner(path, uid):
    os.chown(path, uid, -1)
    try:
        yield
    finally:
        os.chown(path, 0, -1)


def test_damaged_stores():
    """a damaged store is an error under every policy, never `not enrolled`"""
    file, other = file_of("alice"), file_of("bob")

    @contextlib.contextmanager
    def instead(make):
        with moved(file):
            make()
            yield

    def copy():
        shutil.copy(other, file)
        os.chmod(file, 0o600)

    damages = [
        (moved(f"{USERS}/.mpin-store"), "no-marker"), (mode(USERS, 0o755), "too-open"),
        (moved(USERS), "missing"), (mode(file, 0o644), "too-open"), (owner(file, 1001), "foreign-owner"),
        (owner(USERS, 1001), "foreign-owner"), (instead(lambda: os.symlink(file + ".away", file)), None),
        (instead(lambda: os.mkfifo(file)), "wrong-type"), (instead(lambda: os.mkdir(file)), "wrong-type"),
        (instead(copy), "other-uid"), (mode(STORE, 0o777), "too-open"),
    ]
    with settings("unenrolled = ignore"):
        for damage, problem in damages:
            mark = LOG.mark()
            with damage:
                login = Login("mpin-or-pass", "alice", WRONG, WRONG, WRONG)
            equal(login.code, "SERVICE_ERR", problem)
            within(login.screen, "Tell the administrator this number: ")
            priority, pairs, _ = LOG.record(mark)
            equal((priority, pairs["reason"]), (3, "store"))
            if problem:
                equal(pairs["problem"], problem)
    equal(Login("mpin", "alice", site().alice).code, "SUCCESS")


def test_damaged_settings():
    """missing or wrong settings deny, and the log names file, line and key"""
    for text, wanted in [
        (None, {"problem": "missing"}), ("backend = unix:/x\nbakend = y\n", {"line": "2", "key": "bakend"}),
        ("tries = 3\n", {"key": "backend"}),
        (f"backend = unix:{PUBLIC}\ntries = 0\n", {"line": "2", "key": "tries"}),
        (f"backend = unix:{PUBLIC}\nmethod = pin otp\n", {"key": "method"}),
        ("backend = http://localhost:8011/\n", {"key": "backend"}), ("# nothing\n\0", {"line": "2"}),
    ]:
        mark = LOG.mark()
        with moved(CONF):
            if text is not None:
                with open(CONF, "w") as file:
                    file.write(text)
            equal(Login("mpin-or-pass", "alice", WRONG).code, "SERVICE_ERR", text)
        pairs = LOG.record(mark)[1]
        equal((pairs["reason"], len(pairs["attempt"])), ("settings", 16))
        equal({key: pairs.get(key) for key in wanted}, wanted)
    stack("mpin-argument", "auth required pam_mpin.so unenrolled=maybe")
    mark = LOG.mark()
    equal(Login("mpin-argument", "alice", WRONG).code, "SERVICE_ERR")
    equal(LOG.record(mark)[1]["file"], "arguments")
    os.unlink("/etc/pam.d/mpin-argument")


def tls_with_a_foreign_certificate():
    """Starts an https server on a free port with a self-signed certificate; returns the port."""
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "/tmp/k.pem", "-out",
        "/tmp/c.pem", "-subj", "/CN=localhost", "-days", "1")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain("/tmp/c.pem", "/tmp/k.pem")
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            connection, _ = listener.accept()
            with contextlib.suppress(OSError), context.wrap_socket(connection, server_side=True) as secure:
                secure.recv(1000)

    threading.Thread(target=serve, daemon=True).start()
    return listener.getsockname()[1]


def test_unreachable():
    """a server that cannot be reached or trusted lets nobody in, and the screen and the log say why"""
    port = tls_with_a_foreign_certificate()
    stale = socket.socket(socket.AF_UNIX)
    stale.bind("/run/mpind/stale")
    os.chmod("/run/mpind/stale", 0o666)
    stale.close()
    foreign = "/home/bob/mpind.sock"
    for backend, reason, says in (
        ("unix:/run/mpind/absent", None, "Cannot reach the M-Pin server."),
        ("unix:/run/mpind/stale", None, "Cannot reach the M-Pin server."),
        ("http://127.0.0.1:9/", None, "Cannot reach the M-Pin server."),
        (f"https://127.0.0.1:{port}/", "certificate-self-signed", "its certificate is self-signed."),
        (f"unix:{foreign}", "socket-not-trusted",
         "its Unix socket is in a folder that users other than root can change"),
    ):
        mark = LOG.mark()
        with settings(backend=backend):
            login = Login("mpin-or-pass", "alice", site().alice)
        equal(login.code, "AUTHINFO_UNAVAIL", backend)
        priority, pairs, line = LOG.record(mark)
        within(line, "unavailable")
        equal((priority, pairs.get("reason")), (3, reason))
        within(login.screen, says)


def test_no_policy():
    """no setting lets logins past an unreachable server: the stack alone can"""
    for line in "unavailable = ignore", "unavailable = deny", "[sshd]\nremote-ignore = yes":
        mark = LOG.mark()
        with settings(line, backend="unix:/run/mpind/absent"):
            equal(Login("mpin-or-pass", "alice", WRONG).code, "SERVICE_ERR", line)
        pairs = LOG.record(mark)[1]
        equal((pairs["problem"], pairs["key"]), ("see-authinfo-unavail", line.split()[-3]), line)
    with open(f"{CHECKOUT}/packaging/man/pam_mpin.8") as manual:
        line, = [line for line in manual.read().splitlines() if "authinfo_unavail=ignore default" in line]
    stack("mpin-open", line, "auth required pam_permit.so")
    with settings(backend="unix:/run/mpind/absent"):
        for items in {}, REMOTE:
            equal(Login("mpin-open", "alice", site().alice, items=items).code,
                  "SUCCESS" if not items else "AUTH_ERR", items)
    for answers in [WRONG] * 3, [None]:
        assert Login("mpin-open", "alice", *answers).code != "SUCCESS"
    os.unlink("/etc/pam.d/mpin-open")


def test_never_root():
    """root is refused remotely, whatever the server answers, by every name of uid 0"""
    site().mpind.enrol("root", "root@example.org", "Heron-9021-x", "--remote")
    equal(Login("mpin", "root", "Heron-9021-x").code, "SUCCESS")
    with open("/etc/passwd") as file:
        passwd = file.read()
    with settings("remote-pin = long"):
        for name in "root", "toor":
            with replaced("/etc/passwd", "toor:x:0:0::/root:/bin/sh\n" * (name == "toor") + passwd):
                mark = LOG.mark()
                login = Login("mpin", name, *["Heron-9021-x"] * 3, items=REMOTE)
                equal(login.code, "AUTH_ERR")
                equal(LOG.record(mark)[1]["reason"], "never")
    run("mpin", "remove", "root")
