# SPDX-License-Identifier: Apache-2.0
# The page for phones as hosts see it: which commands find its address, and what `mpin doctor` reports about
# it.
import contextlib
import os
import shutil
import signal

from doctor import Told, once
from house import CONF, HOST, MPIND_CONF, run, site
from phones import NAME, ORIGIN, phone_settings, unasked_front
from proxy import Answers, Changes, Fault
from support import CHECKOUT, absent, equal, eventually, replaced, within
from test_setup import contents, fresh

FOLDER, ASIDE = "/usr/share/mpin-page", "/usr/share/mpin-page.aside"
BUILT, TLS = "/tmp/built-page", "/etc/ssl/page"
CAS, ADDED = "/etc/ssl/certs/ca-certificates.crt", "/usr/local/share/ca-certificates"
CURVE = "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj"


class Strips(Fault):
    """The true answer without one of its headers."""

    def __init__(self, at, header):
        super().__init__(at)
        self.header = header

    def instead(self, handler, body):
        status, answer, headers = handler.forward(body)
        handler.answer(status, answer, [one for one in headers if one[0] != self.header])
        return True


def certify():
    """Makes a private CA, and a certificate from it for the public name."""
    os.makedirs(TLS, exist_ok=True)
    run("openssl", "req", "-x509", *CURVE, "/CN=ca", "-keyout", f"{TLS}/ca.key", "-out", f"{TLS}/ca.pem")
    with open(f"{TLS}/names", "w") as file:
        file.write(f"subjectAltName = DNS:{NAME}\n")
    run("openssl", "req", "-new", *CURVE, "/CN=server", "-keyout", f"{TLS}/own.key", "-out", f"{TLS}/csr")
    run("openssl", "x509", "-req", "-in", f"{TLS}/csr", "-days", "9", "-CA", f"{TLS}/ca.pem", "-CAkey",
        f"{TLS}/ca.key", "-extfile", f"{TLS}/names", "-out", f"{TLS}/own.pem")


def install():
    """Installs a page as the package mpin-page does."""
    os.makedirs(BUILT, exist_ok=True)
    for name in "index.html", "page.js":
        with open(f"{BUILT}/{name}", "w") as file:
            file.write(f"This is {name}.\n")
        run("gzip", "--keep", "--force", f"{BUILT}/{name}")
    run(f"{CHECKOUT}/packaging/page", BUILT, FOLDER)


def restart():
    site().mpind.stop()
    site().mpind.start()


@contextlib.contextmanager
def public():
    """mpind with its public address, and the package's page."""
    site()
    once()
    certify()
    if os.path.exists(FOLDER):
        os.rename(FOLDER, ASIDE)
    install()
    lines = [line for line in contents(MPIND_CONF).splitlines() if not line.startswith("public-url")]
    try:
        with (replaced("/etc/hosts", contents("/etc/hosts") + f"127.0.0.1 {NAME}\n"),
              replaced(MPIND_CONF, "\n".join([*lines, f"public-url = {ORIGIN}", ""]))):
            restart()
            yield
    finally:
        shutil.rmtree(FOLDER)
        if os.path.exists(ASIDE):
            os.rename(ASIDE, FOLDER)
        restart()


def front(*faults, certificate=f"{TLS}/own"):
    """TLS in front of mpind at its public name, with a certificate of the private CA."""
    server = unasked_front(*faults)
    if certificate:
        server.context.load_cert_chain(f"{certificate}.pem", f"{certificate}.key")
    return server


def reloads():
    """Makes mpind read its page again."""
    count = contents("/var/log/mpind.log").count("reload page-files=")
    site().mpind.process.send_signal(signal.SIGHUP)
    eventually(lambda: contents("/var/log/mpind.log").count("reload page-files=") > count, "no reload")


OURS = f"ca-file = {TLS}/ca.pem"


def pages(*faults, more=OURS, certificate=f"{TLS}/own"):
    """The words of doctor's findings about the page, and its whole report."""
    with front(*faults, certificate=certificate), phone_settings(more):
        told = Told()
    return [finding["word"] for finding in told.findings if finding["word"].startswith("page")], told


def test_doctor_and_the_phone_page():
    """doctor fetches the page as a phone does, compares it with the package, and says which phones trust
    it"""
    with public():
        words, told = pages()
        equal((words, told.status), (["page-own-ca"], 0), told.findings)
        within(told.about("page-own-ca")[0]["advice"], "Android", "iOS", "PHONES in mpin(1)")
        bundle = contents(CAS) + contents(f"{TLS}/ca.pem")
        with replaced(CAS, bundle):
            equal(pages(more="")[0], ["page"])
            # An administrator's CA is in the bundle too, but phones do not know it.
            os.makedirs(ADDED, exist_ok=True)
            with replaced(f"{ADDED}/ours.crt", contents(f"{TLS}/ca.pem")):
                equal(pages()[0], ["page-own-ca"])
            for fault, word, status, says in (
                (Changes("page.js", lambda body: body + b"steal()"), "page-changed", 1, "page.js"),
                (Strips("/", "Content-Security-Policy"), "page-changed", 1, "Content-Security-Policy"),
                (Changes("/service", lambda body: body.replace(b"login.", b"other.")), "page-elsewhere", 0,
                 "https://other.example.org"),
                (Answers("/service", 404), "page-elsewhere", 0, "no M-Pin server"),
                (Answers("/", 421), "page-elsewhere", 0, "does not go by that name"),
            ):
                words, told = pages(fault)
                equal((words, told.status), ([word], status), told.findings)
                within(told.about(word)[0]["message"], says)
            os.rename(f"{FOLDER}/SHA256SUMS", f"{FOLDER}.sums")
            equal(pages()[0], ["page-uncompared"])
            os.rename(f"{FOLDER}.sums", f"{FOLDER}/SHA256SUMS")
            os.rename(FOLDER, f"{FOLDER}.gone")
            reloads()
            words, told = pages()
            os.rename(f"{FOLDER}.gone", FOLDER)
            equal((words, told.status), (["page-missing"], 0))
            within(told.about("page-missing")[0]["message"], "404")
            reloads()
        words, told = pages(more="")
        equal(words, ["page-untrusted"])
        within(told.about("page-untrusted")[0]["message"], "a CA that is not trusted")
        equal(pages(more=f"ca-file = /etc/ssl/{NAME}.pem", certificate=None)[0], ["page-self-signed"])
        with phone_settings():
            equal([finding["word"] for finding in Told().findings if "page" in finding["word"]],
                  ["page-unreachable"])


def joins():
    """Joins this host again with a new key."""
    code = site().mpind.admin("host", "rotate", HOST)["joinCode"]
    run("mpin", "host", "join", HOST, fds={"--code-fd": code + "\n"})


def test_phone_address_by_default():
    """setup and join write the address of the page that the server serves, from root's own settings, and none
    if there is no page"""
    with public():
        before, address = contents(CONF), f"phone-address = {ORIGIN}/"
        dry = "mpin", "setup", "--dry-run", "--yes", "--no-way-back", "--backend"
        https = *dry, ORIGIN, "--ca-file", f"{TLS}/ca.pem"
        with fresh():
            with front():
                for words in https, (*dry, "here"):
                    within(run(*words), f"+{address}\n")
                within(run(*https, "--phone-address", "https://other.example/p"),
                       "+phone-address = https://other.example/p\n")
            with front(Strips("/", "Content-Security-Policy")):
                absent(run(*https), "phone-address")
            with replaced(MPIND_CONF, contents(MPIND_CONF) + "page = no\n"):
                restart()
                with front():
                    for words in https, (*dry, "here"):
                        absent(run(*words), "phone-address")
            restart()
        with front(), replaced(CONF, f"backend = {ORIGIN}\n{OURS}\n"):
            joins()
            lines = contents(CONF).splitlines()
            equal((lines[0], lines.count(address)), (f"backend = {ORIGIN}", 1), lines)
            # The address is added only once.
            joins()
            equal(contents(CONF).splitlines(), lines)
        with front(Strips("/", "Content-Security-Policy")), replaced(CONF, f"backend = {ORIGIN}\n{OURS}\n"):
            joins()
            absent(contents(CONF), "phone-address")
        equal(contents(CONF), before)
