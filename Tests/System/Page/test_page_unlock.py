# SPDX-License-Identifier: Apache-2.0
# A fingerprint, a face or a security key in place of typing the PIN, by authenticators that Chromium
# simulates.
import os
import shutil

from authenticators import Authenticator
from consoles import allowed, sudo
from house import MPIND_CONF
from phone import OWNER, PIN, Phone, front, world
from proxy import Answers
from support import absent, equal, within
from test_page_enrolment import REFUSED
from trail import audit

WRAPPED = """
const request = indexedDB.open('mpin');
request.onsuccess = () => {
  const kept = request.result.transaction('unlock').objectStore('unlock').getAllKeys();
  kept.onsuccess = () => { request.result.close(); done(kept.result); };
};"""
# What a thief of the whole profile finds: each store with the fields of its rows, and what is beside it.
FOUND = """
const shape = (value) => value instanceof CryptoKey ? `key, extractable: ${value.extractable}`
  : value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? `${value.byteLength} octets`
  : Array.isArray(value) ? value.join() : value;
const fields = (row) => row instanceof CryptoKey ? shape(row)
  : Object.fromEntries(Object.entries(row).map(([name, value]) => [name, shape(value)]));
const request = indexedDB.open('mpin');
request.onsuccess = async () => {
  const names = [...request.result.objectStoreNames], stores = request.result.transaction(names), all = {};
  for (const name of names) {
    const rows = stores.objectStore(name).getAll();
    await new Promise((ready) => { rows.onsuccess = ready; });
    all[name] = rows.result.map(fields);
  }
  request.result.close();
  done({...all, localStorage: Object.keys(localStorage), cookie: document.cookie});
};"""

# Puts a credential of the authenticator that is there now in place of the one that was kept.
REPLACE = """
const replaced = async (id) => {
  const made = await navigator.credentials.create({publicKey: {
    rp: {id: location.hostname, name: 'x'}, user: {id: new Uint8Array(8), name: 'x', displayName: 'x'},
    challenge: new Uint8Array(32),
    pubKeyCredParams: [-7, -257].map((alg) => ({type: 'public-key', alg})),
    authenticatorSelection: {userVerification: 'required'}, extensions: {prf: {}}}});
  const request = indexedDB.open('mpin');
  request.onsuccess = () => {
    const store = request.result.transaction('unlock', 'readwrite').objectStore('unlock');
    const kept = store.get(id);
    kept.onsuccess = () => store.put({...kept.result, credential: new Uint8Array(made.rawId)}, id);
    store.transaction.oncomplete = () => {
      request.result.close();
      done(made.getClientExtensionResults().prf.enabled);
    };
  };
};
replaced(arguments[0]);"""


def enrolled(phone, name):
    """Enrols the phone for an account's logins, and stays on the last screen."""
    identity = f"{name}-phone@example.org"
    id = phone.enrolled(identity)
    allowed(name, identity, id)
    return id


def fields(records):
    """Of each record all that does not differ between two logins."""
    return [(one["kind"], sorted(field["name"] for field in one["fields"])) for one in records]


def passes(server):
    return [path for path in server.calls if path.startswith("/rps/pass")]


def test_instead_of_typing():
    """a fingerprint, and a security key, unlock the PIN after an enrolment: a login is approved without a
    typed PIN; the audit trail says the same as after a typed one"""
    for transport in "internal", "usb":
        name = f"una-{transport}"
        with Phone(name) as phone:
            authenticator = Authenticator(phone, transport)
            enrolled(phone, name)
            phone.screenshot(f"unlock-1-offer-{transport}")
            phone.press(authenticator.way).on("unlock-use")
            phone.screenshot(f"unlock-2-use-{transport}")
            phone.press(authenticator.way).on("unlock-pin")
            phone.types().on("end unlock-done").press("Done").on("home")
            told = []
            for keys in ["Type the PIN", *PIN, "Confirm"], [authenticator.way]:
                console = sudo(name)
                phone.open(console.scanned, "asked")
                phone.screenshot(f"unlock-3-asked-{transport}")
                equal(phone.browser.value("return document.querySelectorAll('.pad, input').length"), 0)
                equal(console.given(phone.press(*keys).approval_code()), ("root", 0))
                told.append(fields(audit("--user", f"{name}-phone@example.org", "--last", "1")))
            equal(told[0], told[1])


def test_the_pin_is_the_other_way():
    """if the user is not verified, the authenticator is gone, it has no PRF, or its credential is of another
    origin, nothing is sent, and the PIN is asked for"""
    for transport in "internal", "usb":
        name = f"ursula-{transport}"
        with front() as server, Phone(name, by=server) as phone:
            first = Authenticator(phone, transport)
            enrolled(phone, name)
            first.sets_up(PIN)
            [credential] = first.credentials

            def refuses(*keys, name=name, phone=phone, server=server):
                console = sudo(name)
                phone.open(console.scanned, "asked")
                server.calls.clear()
                phone.press(*keys).browser.wait("the pad", "return document.querySelector('.pad')")
                equal("That did not unlock the PIN." in phone.text, "Type the PIN" not in keys)
                equal(passes(server), [])
                equal(console.given(phone.types().approval_code()), ("root", 0))

            refuses("Type the PIN")
            first.verifies(False)
            refuses(first.way)
            first.remove()
            # The browser waits for another one.
            refuses(first.way, "Type the PIN")
            for has_prf, origin in (False, "login.example.org"), (True, "evil.example.com"):
                other = Authenticator(phone, transport, has_prf)
                other.takes(credential, origin)
                refuses(first.way)
                other.remove()


def test_set_up_fails():
    """an authenticator without PRF, one that does not verify the user, and a wrong PIN set up nothing"""
    with Phone("uri", REFUSED) as phone:
        old = Authenticator(phone, has_prf=False)
        enrolled(phone, "uri")
        phone.press(old.way).on("end unlock-failed")
        within(phone.text, "cannot unlock a PIN")
        phone.screenshot("unlock-cannot")
        old.remove()
        strict = Authenticator(phone)
        strict.verifies(False)
        phone.press("Try again")
        phone.browser.wait("a refusal", "return document.body.innerText.includes('you were not recognised')")
        strict.remove()
        good = Authenticator(phone)
        phone.press("Try again").on("unlock-use").press(good.way).on("unlock-pin")
        phone.screenshot("unlock-pin")
        phone.types("999999")
        phone.browser.wait("a refusal", "return document.querySelector('.hint')?.textContent === 'Wrong PIN'")
        equal(phone.browser.result(WRAPPED), [])
        phone.press("Cancel").on("home")
        phone.press("Settings of uri-phone@example.org").on("identity")
        good.sets_up(PIN)
        phone.press("Done").on("identity")
        phone.screenshot("unlock-settings")
        equal(len(phone.browser.result(WRAPPED)), 1)
        phone.press("Always type the PIN")
        phone.browser.wait("the offer", "return document.body.innerText.includes('Use a security key')")
        equal(phone.browser.result(WRAPPED), [])


def test_changed_elsewhere():
    """if the server says that an unlocked PIN is wrong, it is erased; a typo erases nothing"""
    with front() as server, Phone("ulla", REFUSED, by=server) as phone:
        authenticator = Authenticator(phone)
        id = enrolled(phone, "ulla")
        authenticator.sets_up(PIN)
        console = sudo("ulla")
        phone.open(console.scanned, "asked").press("Type the PIN").types("999999").on("end wrongPIN")
        equal(phone.browser.result(WRAPPED), [id])
        server.faults = [Answers("/rps/authenticate", 401)]
        phone.press("Try again").on("asked").press(authenticator.way).on("end wrongPIN")
        within(phone.text, "changed elsewhere")
        phone.screenshot("unlock-stale")
        equal(phone.browser.result(WRAPPED), [])
        server.faults = []
        console.closes()
        console = sudo("ulla")
        equal(console.given(phone.approves(console.scanned)), ("root", 0))


def test_not_here():
    """with `fingerprint = no` the page offers none, and erases what it kept"""
    with open(MPIND_CONF) as file:
        conf = file.read()
    with Phone("udo") as phone:
        authenticator = Authenticator(phone)
        enrolled(phone, "udo")
        authenticator.sets_up(PIN)
        world().restart(conf + "\nfingerprint = no\n")
        try:
            console = sudo("udo")
            equal(console.given(phone.approves(console.scanned)), ("root", 0))
            equal(phone.browser.result(WRAPPED), [])
            phone.open(screen="home").press("Settings of udo-phone@example.org").on("identity")
            absent(phone.text, "security key", "fingerprint")
        finally:
            world().restart(conf)


def test_a_copied_profile():
    """a copy of the whole profile without the authenticator gives no PIN: this is all that is in it, and
    another authenticator does not open it"""
    with Phone("ute") as phone:
        authenticator = Authenticator(phone)
        id = enrolled(phone, "ute")
        authenticator.sets_up(PIN)
        found = phone.browser.result(FOUND)
        [credential] = authenticator.credentials
    [row], [wrapped] = found.pop("records"), found.pop("unlock")
    equal(found, {"history": [], "keys": ["key, extractable: false"], "pending": [],
                  "localStorage": ["mpin.enrolled"], "cookie": ""})
    octets = int(row.pop("octets").split()[0])
    equal(row, {"label": "ute-phone@example.org", "kind": "digits", "iv": "12 octets"})
    assert octets > 200, octets
    # 129 for every PIN, and a tag of 16.
    equal({name: wrapped[name] for name in ("kind", "salt", "iv", "octets")},
          {"kind": "platform", "salt": "32 octets", "iv": "12 octets", "octets": "145 octets"})
    equal(sorted(wrapped), ["credential", "iv", "kind", "octets", "salt", "transports"])
    shutil.copytree(f"/home/{OWNER}/ute", f"/home/{OWNER}/thief", symlinks=True, copy_function=shutil.copy)
    for folder, _, files in os.walk(f"/home/{OWNER}/thief"):
        shutil.chown(folder, OWNER, OWNER)
        for file in (os.path.join(folder, one) for one in files):
            shutil.chown(file, OWNER, OWNER)
            with open(file, "rb") as content:
                octets = content.read()
            equal([form for form in (PIN.encode(), PIN.encode("utf-16-le")) if form in octets], [], file)
    with front() as server, Phone("thief", by=server) as phone:
        other = Authenticator(phone)
        other.takes(credential)
        console = sudo("ute")
        phone.open(console.scanned, "asked").press(other.way)
        phone.browser.wait("the pad", "return document.querySelector('.pad')")
        # Octets of another authenticator make another key.
        equal(phone.browser.result(REPLACE, id), True)
        phone.open(console.scanned, "asked").press(other.way)
        phone.browser.wait("the pad", "return document.querySelector('.pad')")
        within(phone.text, "That did not unlock the PIN.")
        equal(passes(server), [])
        console.closes()
