# SPDX-License-Identifier: Apache-2.0
# What a thief of a phone finds in the memory of its browser: nothing that an enrolment or an approval needed.
import re
import sqlite3

from authenticators import Authenticator
from consoles import allowed, sudo
from house import PUBLIC
from memory import copied
from phone import OWNER, Phone, front, world
from support import equal
from support.wire import Wire
from test_page_enrolment import REFUSED

PIN = "730918254"
SECRETS = re.compile(rb'"(clientSecretShare|clientSecret|deviceKey)" *: *"([0-9a-f]{64,})"')
# The record of the only identity, as the page decrypts it.
RECORD = """
const request = indexedDB.open('mpin');
request.onsuccess = () => {
  const stores = request.result.transaction(['keys', 'records']);
  const [key, id, row] = [stores.objectStore('keys').get('wrap'), stores.objectStore('records').getAllKeys(),
    stores.objectStore('records').getAll()];
  row.onsuccess = async () => {
    const words = ['mpin vault 1', location.origin, 'record', id.result[0], row.result[0].label];
    const additionalData = new TextEncoder().encode(words.join('\\0'));
    const kind = {name: 'AES-GCM', iv: row.result[0].iv, additionalData};
    done([...new Uint8Array(await crypto.subtle.decrypt(kind, key.result, row.result[0].octets))]);
  };
};"""


def found(copies, secrets):
    """Where these secrets are: as octets, as hexadecimal digits, and as the texts of JavaScript."""
    places = {}
    for name, octets in secrets.items():
        forms = {"octets": octets, "digits": octets.hex().encode(), "text": octets.hex().encode("utf-16-le")}
        if name == "PIN":
            forms = {"octets": octets, "text": octets.decode().encode("utf-16-le")}
        for form, wanted in forms.items():
            for kind, memory in copies:
                if count := memory.count(wanted):
                    places[f"{name} as {form} in {kind}"] = count
    return places


def sent(server):
    """Both shares and the device key, as the server sent them."""
    found = SECRETS.findall(bytes(server.record))
    secrets = {name.decode(): bytes.fromhex(digits.decode()) for name, digits in found}
    equal(sorted(secrets), ["clientSecret", "clientSecretShare", "deviceKey"])
    return secrets


def kept(phone):
    """Token and device key in the record; asking for them leaves them in memory."""
    octets, fields = bytes(phone.browser.result(RECORD)), []
    while octets:
        count = 4 + int.from_bytes(octets[:4], "little")
        fields.append(octets[4:count])
        octets = octets[count:]
    return {"token": fields[6], "device key": fields[7]}


def test_memory():
    """whoever reads the memory of the browser after an enrolment or an approval finds neither share of the
    client secret, nor token, device key or PIN"""
    with front() as server, Phone("memory", REFUSED, by=server) as phone:
        id = phone.enrolled("mary@example.org", PIN)
        after = [copied(f"/home/{OWNER}/memory")]
        allowed("mary", "mary@example.org", id)
        console = sudo("mary")
        code = phone.approves(console.scanned, PIN)
        after.append(copied(f"/home/{OWNER}/memory"))
        equal(console.given(code), ("root", 0))
        secrets = {"PIN": PIN.encode(), **sent(server), **kept(phone)}
        equal(secrets["deviceKey"], secrets.pop("device key"))
        equal([found(one, secrets) for one in after], [{}, {}])
        # The search finds what is there.
        there = found(copied(f"/home/{OWNER}/memory"), secrets)
        equal(set(there), {"token as octets in renderer", "deviceKey as octets in renderer"})


def test_unlocked():
    """whoever reads the memory of the browser after a fingerprint was set up, or has unlocked the PIN for an
    approval, does not find the PIN"""
    with Phone("unlocked") as phone:
        id = phone.enrolled("mona@example.org", PIN)
        allowed("mona", "mona@example.org", id)
        authenticator = Authenticator(phone)
        phone.open(screen="home").press("Settings of mona@example.org").on("identity")
        authenticator.sets_up(PIN)
        after = [copied(f"/home/{OWNER}/unlocked")]
        console = sudo("mona")
        phone.open(console.scanned, "asked").press(authenticator.way)
        code = phone.approval_code()
        after.append(copied(f"/home/{OWNER}/unlocked"))
        equal(console.given(code), ("root", 0))
        equal([found(one, {"PIN": PIN.encode()}) for one in after], [{}, {}])


def test_history():
    """whoever reads the history of the browser finds the address of the enrolment; its code enrols nothing"""
    address = world().invited("nora@example.org")
    with Phone("history", REFUSED) as phone:
        phone.enrols(address, PIN).on("end enrolled")
    visits = sqlite3.connect(f"/home/{OWNER}/history/Default/History")
    equal(visits.execute("SELECT COUNT(*) FROM urls WHERE url = ?", [address]).fetchall(), [(1,)])
    asked = {"userId": "nora@example.org", "mobile": 0, "bound": 1, "activateCode": address.split("code=")[1]}
    equal(Wire(f"unix:{PUBLIC}").call("PUT", "/rps/user", asked).json["active"], False)
