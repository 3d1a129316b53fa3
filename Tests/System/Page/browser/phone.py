# SPDX-License-Identifier: Apache-2.0
# Phones: profiles of a real Chromium that know mpind by its public name; and the server.
import base64
import contextlib
import functools
import hashlib
import os
import re
import subprocess
import time
from support import CHECKOUT, equal
from urllib.parse import quote

from house import CONF, MPIND_CONF, PUBLIC, as_user, run, site
from phones import NAME, ORIGIN
from proxy import Front
from webdriver import SIZES, Browser, Driver

PORT = 8443
PIN = "271828"
OWNER = "carrier"
SCREENS = 7
# Screenshots of each screen are saved, in two sizes and two colour schemes, if a folder is given.
HAS_FOLDER = os.path.exists(f"/proc/self/fd/{SCREENS}") and os.path.isdir(f"/proc/self/fd/{SCREENS}")
PRESS = """
const wanted = arguments[0];
const named = (one) => [one.getAttribute('aria-label'), one.textContent].includes(wanted);
const found = [...document.querySelectorAll('button, summary')].filter(named);
if (found.length !== 1) return found.length + ' of ' + wanted;
found[0].click();"""


def openssl(*words, data=None):
    return subprocess.run(["openssl", *words], input=data, check=True, capture_output=True).stdout


class World:
    """mpind with its own TLS, and the account that runs the browsers."""

    def __init__(self):
        folder = "/etc/mpin/tls"
        os.makedirs(folder, exist_ok=True)
        self.key, self.certificate = f"{folder}/{NAME}.key", f"{folder}/{NAME}.pem"
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
                f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", self.key, "-out",
                self.certificate)
        mpind = site().mpind
        mpind.stop()
        with open(MPIND_CONF, "a") as conf:
            conf.write(f"listen = 127.0.0.1:{PORT}\npublic-url = {ORIGIN}\ntls-key = {self.key}\n"
                       f"tls-certificate = {self.certificate}\npage = {CHECKOUT}/build/page\n")
        mpind.start()
        run("useradd", "--create-home", OWNER)
        self.driver = Driver("/var/log/chromedriver.log", as_user(OWNER))
        self.phones = []

    @contextlib.contextmanager
    def without_page(self):
        """mpind with `page = no` while the block runs."""
        with open(MPIND_CONF) as file:
            conf = file.read()
        self.restart(re.sub(r"(?m)^page = .*", "page = no", conf))
        try:
            yield
        finally:
            self.restart(conf)

    def restart(self, conf):
        site().mpind.stop()
        with open(MPIND_CONF, "w") as file:
            file.write(conf)
        site().mpind.start()

    def trusted(self, certificate):
        """The digest of the certificate's key, which makes the browser accept it."""
        public = openssl("pkey", "-pubin", "-outform", "DER",
                         data=openssl("x509", "-in", certificate, "-noout", "-pubkey"))
        return base64.b64encode(hashlib.sha256(public).digest()).decode()

    def ready(self):
        """Writes mpin.conf of a host that shows QR codes."""
        with open(CONF, "w") as conf:
            conf.write(f"backend = unix:{PUBLIC}\nphone-address = {ORIGIN}/\n")

    def invited(self, identity):
        """The address of the QR code that enrols this identity."""
        code = site().mpind.admin("user", "add", identity)["activationCode"]
        return invitation(identity, code)


def invitation(identity, code):
    return f"{ORIGIN}/#enrol?user={quote(identity, safe='')}&code={quote(code, safe='')}"


@functools.cache
def world():
    return World()


def end():
    if world.cache_info().currsize:
        world().driver.end()


def front(*faults):
    """A front for mpind, with faults; phones that use it are made with its port."""
    return Front(PUBLIC, *faults, name=NAME)


class Phone:
    """One profile; `by` is a front before mpind. Used by `with`, which fails at its end if the console has
    unexpected messages."""

    def __init__(self, name, *expected, by=None, language="en", arguments=()):
        self.expected = list(expected)
        port, certificate = PORT, world().certificate
        if by:
            port, certificate = by.server.server_address[1], by.certificate
        self.browser = Browser(
            world().driver, f"/home/{OWNER}/{name}",
            ["--no-sandbox", f"--host-resolver-rules=MAP *.example.*:443 127.0.0.1:{port}",
             f"--ignore-certificate-errors-spki-list={world().trusted(certificate)}", *arguments],
            language)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        try:
            unexpected = [one for one in self.browser.log()
                          if not any(re.search(pattern, one) for pattern in self.expected)]
        finally:
            self.browser.end()
        if kind is None:
            equal(unexpected, [], "messages on the console")

    def open(self, address=ORIGIN + "/", screen=None):
        self.browser.open(address)
        if screen:
            self.on(screen)
        return self

    def on(self, *screens, seconds=60):
        """Waits for a screen, such as `home` or `end denied`."""
        script = "return arguments[0].includes(document.getElementById('main')?.dataset.screen)"
        self.browser.wait(" or ".join(screens), script, screens, seconds=seconds)
        return self

    @property
    def screen(self):
        return self.browser.value("return document.getElementById('main').dataset.screen")

    @property
    def text(self):
        return self.browser.value("return document.getElementById('main').innerText")

    @property
    def title(self):
        return self.browser.value("return document.querySelector('h1').textContent")

    def press(self, *names):
        for name in names:
            equal(self.browser.value(PRESS, name), None)
        return self

    def types(self, pin=PIN):
        """Types a PIN on the pad, and presses the key that confirms it."""
        return self.press(*pin, "Confirm")

    def screenshot(self, name):
        if not HAS_FOLDER:
            return
        for size in SIZES:
            for scheme in "light", "dark":
                self.browser.size(size)
                self.browser.scheme(scheme)
                time.sleep(0.1)
                flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
                file = os.open(f"{name}-{size}-{scheme}.png", flags, 0o644, dir_fd=SCREENS)
                self.browser.screenshot(file)
        self.browser.size("phone")

    def enrols(self, address, pin=PIN):
        """Goes from the QR code to the last screen of an enrolment."""
        self.open(address, "invited").press("Continue").on("pin")
        return self.types(pin).on("repeat").types(pin)

    def enrolled(self, identity, pin=PIN):
        """Enrols an identity, and returns its id."""
        self.enrols(world().invited(identity), pin).on("end enrolled")
        within_details = "return [...document.querySelectorAll('dd')].map((one) => one.textContent)"
        label, id = self.browser.value(within_details)
        equal(label, identity)
        return id.replace(" ", "")

    def approval_code(self):
        self.on("approval-code")
        return self.browser.value("return document.querySelector('.code').dataset.code")

    def approves(self, address, pin=PIN):
        self.open(address, "asked").types(pin)
        return self.approval_code()
