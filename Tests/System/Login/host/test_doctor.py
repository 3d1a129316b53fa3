# SPDX-License-Identifier: Apache-2.0
# `mpin doctor` on a host without faults, and on the same host with one fault after the other.
import email.utils
import os
import shutil
import ssl
import subprocess
import time
import warnings

from doctor import Dates, Told, edited, once, shows
from house import (CONF, HOST, MODULES, MPIND_CONF, PUBLIC, REMOTE, STORE, Login, listens, no_server, run,
                   settings, site, stack)
from phones import NAME, ORIGIN, front
from proxy import Answers, Front, Hangs, Proxy
from support import LOG, equal, eventually, replaced, within
from test_codes import new_codes
from test_faults import PROXY
from test_policy import file_of, mode, moved, owner

MODULE, RELAY = f"{MODULES}/pam_mpin.so", "/usr/libexec/pam_mpin/mpin-relay"
KEY = f"{STORE}/host"


def test_a_good_host():
    """`mpin doctor` finds no problem on a good host, makes no login attempt, and reports what it checked"""
    once()
    before = open("/var/log/mpind.log").read()
    told = Told()
    equal((told.status, told.problems, told.wrong), (0, 0, []))
    equal(told.words("ok"), ["clock", "host-key", "module", "mpind", "relay", "root", "server", "settings",
                             "sshd", "stacks", "store", "sudo", "users"])
    ended = 'ended="abort"'
    eventually(lambda: ended in open("/var/log/mpind.log").read()[len(before):], "the session's end")
    log = open("/var/log/mpind.log").read()[len(before):]
    for route in "pass1", "pass2", "mpinAuthenticate":
        assert f'route="{route}"' not in log, log
    equal((log.count('route="getQrUrl"'), log.count(ended)), (1, 1), log)
    lines = run("mpin", "doctor").splitlines()
    assert lines[-1].endswith("in order.") and not any("[server]" in line for line in lines), lines
    within(run("mpin", "doctor", "--verbose"), "[server]", "knows this host's key", "ms.")
    equal(Login("mpin", "alice", site().alice).code, "SUCCESS")


def test_broken_programs():
    """doctor names the fault of module, relay and '_mpin'; the login fails too"""
    once()
    with open("/etc/passwd") as file:
        line = next(line for line in file if line.startswith("_mpin:"))
    uid = run("id", "-u", "_mpin").strip()
    shows(moved(MODULE), "module-missing")
    shows(mode(MODULE, 0o666), "module-open")
    with moved(MODULE):
        open(MODULE, "w").write("no module\n")
        within(Told().about("module-broken")[0]["message"], "pam_mpin.so")
    for word, broken in (
        ("relay-missing", moved(RELAY)), ("relay-open", mode(RELAY, 0o775)),
        ("relay-open", mode(RELAY, 0o644)), ("relay-user-missing", edited("/etc/passwd", line, "")),
    ):
        with broken:
            told = Told()
            assert word in told.wrong and "relay-broken" in told.wrong, (word, told.findings)
            equal((told.status, Login("mpin", "alice", site().alice).code), (1, "SERVICE_ERR"), word)
    shows(settings("relay = /bin/true"), "relay-broken", says=("stopped before it had answered",))
    shows(edited("/etc/passwd", line, line + line.replace("_mpin", "twin", 1)), "relay-user-shared",
          says=("twin",))
    shows(owner(CONF, int(uid)), "relay-user-owns", status=2)
    equal(Told().wrong, [])


def test_broken_settings():
    """doctor names file, line and key of faults in mpin.conf, and dangerous settings"""
    once()
    shows(settings("no-such = 1"), "settings-wrong", status=2, says=(f"{CONF}:3", "'no-such'"))
    for line in "unavailable = deny", "[sshd]\nremote-ignore = yes":
        shows(settings(line), "settings-wrong", status=2, says=("'authinfo_unavail=ignore'", "pam_mpin(8)"))
    shows(moved(CONF), "settings-missing", status=2)
    shows(mode(CONF, 0o666), "settings-open", status=2)
    shows(settings("users = alice malice"), "unknown-name", status=0, says=("malice",))
    open_stack = "auth [success=done ignore=ignore authinfo_unavail=ignore default=die] pam_mpin.so\n"
    with open("/etc/pam.d/su") as file:
        before = file.read()
    opened = before.replace("auth required pam_mpin.so\n", open_stack, 1)
    shows(replaced("/etc/pam.d/su", opened), "fails-open", status=0,
          says=("/etc/pam.d/su:", "any account of this host"))
    shows(settings("[su]\nnever = malice"), "unknown-name", status=0, says=("[su]", "malice"))
    shows(settings("pin-prompt = Password:"), "password-prompt", status=0, says=("'pin-prompt'",))
    shows(settings("[su]\ncode-prompt = PASSWORD of the day"), "password-prompt", status=0, says=("[su]",))
    shows(settings("tries = 4"), "many-tries", status=0,
          says=("su (4, by default 3)", "sudo (4, by default 1)"))
    shows(settings("[sudo]\ntries = 2"), "many-tries", status=0, says=(": sudo (2, by default 1).",))
    shows(settings("[sshd]\nqr-colour = yes"), "colour-unused", status=0, says=("[sshd]", "utf8-inverse"))
    shows(settings("", backend="http://127.0.0.1:9"), "server-unreachable")
    with settings("", backend=f"unix:{PUBLIC}\nbackend = http://127.0.0.1:9"):
        told = Told()
        equal((told.words("problem"), "plain-http" in told.words("note")), (["server-unreachable"], True))
    shows(settings("ca-file = /etc/mpin/none.pem"), "ca-file-wrong", status=1)
    equal(Told().wrong, [])


def test_leftovers_of_a_server():
    """settings and secrets of mpind on a host without mpind are no findings"""
    once()
    with mode(MPIND_CONF, 0o666):
        within(Told().wrong, "mpind-open")
        with moved("/usr/bin/mpind"):
            assert not any(one["word"].startswith("mpind") for one in Told().findings)


def test_broken_servers():
    """doctor distinguishes servers that are stopped, slow, foreign or have a wrong clock"""
    once()
    told = shows(no_server(), "server-unreachable", "mpind-stopped", says=("mpind",))
    assert "clock" not in told.words("ok")
    through = f"unix:{PROXY}"
    for fault, word, more in (
        (Hangs("clientSettings"), "server-slow", "connect-timeout = 1\ncall-timeout = 1"),
        (Answers("clientSettings", 500), "server-failing", ""),
        (Answers("getQrUrl", 429), "server-busy", ""),
        (Answers("getQrUrl", 408), "clock-wrong", ""),
    ):
        with Proxy(PROXY, PUBLIC, fault), settings(more, backend=through):
            told = Told()
            assert word in told.words("problem", "note"), (word, told.findings)
    for seconds, word, status in (20, "clock", 0), (90, "clock-off", 0), (-90, "clock-off", 0), (
            7_300, "clock-wrong", 1):
        date = email.utils.formatdate(time.time() + seconds, usegmt=True)
        with Proxy(PROXY, PUBLIC, Dates(date)), settings(backend=through):
            told = Told()
            assert word in told.words("ok", "problem", "warning"), (word, told.findings)
            equal(told.status, status, word)
    with Front(PUBLIC) as front:
        https = f"https://localhost:{front.server.server_address[1]}"
        shows(settings(backend=https), "server-untrusted")
        shows(settings(f"ca-file = {front.certificate}", backend=https), "server-failing",
              says=("public-url",))


def test_certificates():
    """doctor reaches a server by https, and warns if its certificate expires soon"""
    once()
    with front() as server:
        with settings(f"ca-file = {server.certificate}", backend=ORIGIN):
            told = Told()
            equal((told.wrong, "server" in told.words("ok")), ([], True), told.findings)
    path, key = server.certificate, server.certificate.replace(".pem", ".key")
    with replaced(path, open(path).read()):
        run("openssl", "req", "-x509", "-key", key, "-days", "5", "-subj", f"/CN={NAME}", "-addext",
            f"subjectAltName=DNS:{NAME}", "-out", path)
        with front(), settings(f"ca-file = {path}", backend=ORIGIN):
            told = Told()
            equal((told.status, told.wrong), (0, ["certificate-ends"]))
            within(told.about("certificate-ends")[0]["message"], " days", NAME)


CURVE = "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj"
FLAWS = "/etc/ssl/flaws"


def tls(name):
    """A server's TLS context with the certificate of that name."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{FLAWS}/{name}.pem", f"{FLAWS}/{name}.key")
    return context


def old_tls(name):
    """The same, limited to TLS 1.1."""
    context = tls(name)
    context.set_ciphers("DEFAULT@SECLEVEL=0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
    return context


def certify():
    """Makes a CA, and certificates for servers on this machine: a good one, and one with each fault."""
    os.makedirs(FLAWS, exist_ok=True)
    for own in "ca", "stranger", "selfsigned":
        run("openssl", "req", "-x509", *CURVE, f"/CN={own}", "-addext", "subjectAltName = DNS:localhost",
            "-keyout", f"{FLAWS}/{own}.key", "-out", f"{FLAWS}/{own}.pem")
    for name, host, days, ca in (("good", "localhost", 2, "ca"), ("foreign", "localhost", 2, "stranger"),
                                 ("misnamed", "other.example", 2, "ca"), ("expired", "localhost", -1, "ca")):
        path = f"{FLAWS}/{name}"
        with open(f"{path}.names", "w") as file:
            file.write(f"subjectAltName = DNS:{host}\n")
        run("openssl", "req", "-new", *CURVE, "/CN=server", "-keyout", f"{path}.key", "-out", f"{path}.csr")
        run("openssl", "x509", "-req", "-in", f"{path}.csr", "-days", str(days), "-CA", f"{FLAWS}/{ca}.pem",
            "-CAkey", f"{FLAWS}/{ca}.key", "-extfile", f"{path}.names", "-out", f"{path}.pem")


def test_untrusted_servers():
    """doctor, the logs and users at this host learn why a server is not trusted; a stranger does not"""
    once()
    certify()
    for context, word, says, advice in (
        (tls("foreign"), "certificate-of-unknown-ca", "is from a CA that is not trusted", "'--ca-file FILE'"),
        (tls("selfsigned"), "certificate-self-signed", "is self-signed", "'ca-file' in mpin.conf"),
        (tls("misnamed"), "certificate-for-another-name", "is for another name", "localhost:"),
        (tls("expired"), "certificate-expired", "has expired", "Renew the certificate"),
        (old_tls("good"), "tls-too-old", "speaks TLS 1.1 or older", "TLS 1.2 or 1.3"),
    ):
        with Front(PUBLIC) as server:
            server.context = context
            more = f"ca-file = {FLAWS}/ca.pem\nremote-pin = long\ntries = 1"
            with settings(more, backend=server.address):
                found = Told().about("server-untrusted")
                equal(len(found), 1, word)
                within(found[0]["message"], server.address, says)
                within(found[0]["advice"], advice)
                mark = LOG.mark()
                here = Login("mpin", "alice", site().alice)
                pairs = LOG.record(mark)[1]
                equal((here.code, pairs["reason"]), ("AUTHINFO_UNAVAIL", word))
                within(here.screen, says, "Tell the administrator.")
                equal(len(LOG.since(mark, f'reason="{word}"')), 2, LOG.since(mark))
                if word == "certificate-expired":
                    stack("mpin-afar", "auth required pam_mpin.so remote=yes")
                    afar = Login("mpin-afar", "alice", site().alice, items=REMOTE)
                    os.unlink("/etc/pam.d/mpin-afar")
                    equal(afar.screen, "\nM-Pin PIN: |M-Pin did not let you in.")


def test_broken_seals():
    """doctor names a server that does not know this host's key, also beside one that does"""
    once()
    with open(KEY) as file:
        text = file.read()
    key = next(line for line in text.splitlines() if line.startswith("key"))
    shows(edited(KEY, key, "key = " + "11" * 32), "seal-refused", says=("host join",))
    equal(Login("mpin", "alice", site().alice).code, "SUCCESS")
    folder, second = "/var/lib/mpind-second", "/run/mpind/second.sock"
    where = ["--data", folder, "--authority-data", folder + "-ta", "--admin-socket",
             "/run/mpind/second-admin"]
    run("mpind", "init", *where)
    process = subprocess.Popen(["mpind", "serve", *where, "--listen", f"unix:{second}"],
                               stderr=subprocess.DEVNULL)
    try:
        eventually(lambda: listens(second), "the second server")
        told = shows(settings(backend=f"unix:{PUBLIC}\nbackend = unix:{second}"), "seal-refused",
                     says=(second, "replica"))
        assert "host-key" in told.words("ok")
    finally:
        process.terminate()
        process.wait(60)


def test_a_leaked_host_key():
    """a leaked host key is useless after its rotation, and the host joins again with a new one"""
    with open(KEY) as file:
        leaked = file.read()
    code = site().mpind.admin("host", "rotate", HOST, "--leaked")["joinCode"]
    assert Login("mpin", "alice", site().alice).code != "SUCCESS"
    within(Told().about("seal-refused")[0]["advice"], "mpin host join")
    # Joining would record the public address of the page, where no server answers here.
    with replaced(CONF, open(CONF).read()):
        run("mpin", "host", "join", HOST, fds={"--code-fd": code + "\n"})
    equal(Login("mpin", "alice", site().alice).code, "SUCCESS")
    with edited(KEY, open(KEY).read(), leaked):
        assert Login("mpin", "alice", site().alice).code != "SUCCESS"
    equal(Login("mpin", "alice", site().alice).code, "SUCCESS")


def test_broken_stores():
    """doctor names the faults of the store, and the login fails with those that it reads"""
    once()
    alice, users = file_of("alice"), f"{STORE}/users"
    for broken, word, status in (
        (moved(users), "store-missing", 2), (mode(users, 0o755), "store-open", 2),
        (mode(STORE, 0o777), "store-open", 2), (owner(users, 1), "store-open", 2),
        (moved(f"{users}/.mpin-store"), "store-unmarked", 2), (moved(KEY), "host-key-missing", 1),
        (mode(KEY, 0o644), "host-key-open", 1), (replaced(KEY, "mpin-host = 1\n"), "host-key-wrong", 1),
        (mode(alice, 0o644), "user-file-open", 1), (replaced(alice, "rubbish\n"), "user-file-wrong", 1),
        (edited(alice, "name = alice", "name = alicia"), "account-renamed", 1),
        (edited(alice, "host = sandbox", "host = other"), "other-host", 1),
    ):
        with broken:
            told = Told()
            assert word in told.wrong, (word, told.findings)
            equal(told.status, status, word)
            code = Login("mpin", "alice", site().alice).code
            assert code in ("SERVICE_ERR", "SYSTEM_ERR"), (word, code)
    new_codes(count=2)
    codes = alice.replace("/users/", "/codes/")
    within(Told().about("few-codes")[0]["message"], "'alice' has 2 backup codes left")
    shows(mode(f"{STORE}/codes", 0o755), "store-open", status=2)
    shows(mode(codes, 0o644), "user-file-open")
    shows(replaced(codes, "rubbish\n"), "user-file-wrong")
    run("mpin", "backup-codes", "alice", "--remove")
    shutil.copy(alice, f"{users}/59999")
    with edited(f"{users}/59999", "uid = " + alice.split("/")[-1], "uid = 59999"):
        os.chmod(f"{users}/59999", 0o600)
        told = Told()
        within(told.about("account-gone")[0]["advice"], "mpin remove 59999")
        equal(told.status, 0)
    os.unlink(f"{users}/59999")
    equal(Told().wrong, [])
