# SPDX-License-Identifier: Apache-2.0
# The storage of the page in versions that differ from it, or damaged: what can be read is kept.
from consoles import allowed, sudo
from phone import Phone
from support import absent, equal, within

# Copies keys and records into a database of another version.
COPY = """
const [version, stores, more] = arguments;
const opened = (act) => new Promise((done, failed) => {
  const request = act();
  request.onsuccess = () => done(request.result);
  request.onerror = () => failed(request.error);
});
const copied = async () => {
  const old = await opened(() => indexedDB.open('mpin')), rows = {};
  for (const name of ['keys', 'records']) {
    const store = old.transaction(name).objectStore(name);
    rows[name] = [await opened(() => store.getAllKeys()), await opened(() => store.getAll())];
  }
  old.close();
  await opened(() => indexedDB.deleteDatabase('mpin'));
  const made = await opened(() => {
    const request = indexedDB.open('mpin', version);
    request.onupgradeneeded = () => stores.forEach((name) => request.result.createObjectStore(name));
    return request;
  });
  for (const name of stores.filter((name) => rows[name])) {
    const store = made.transaction(name, 'readwrite').objectStore(name);
    rows[name][1].forEach((row, at) =>
      store.put(row instanceof CryptoKey ? row : {...row, ...more}, rows[name][0][at]));
    await opened(() => store.count());
  }
  made.close();
  return made.version;
};
copied().then(done, (error) => done(error.message));"""
ROWS = """
const request = indexedDB.open('mpin');
request.onsuccess = () => {
  const {version, objectStoreNames} = request.result;
  const kept = request.result.transaction('records').objectStore('records').getAll();
  kept.onsuccess = () => {
    request.result.close();
    done([version, [...objectStoreNames], kept.result.length]);
  };
};"""
FIRST = ["keys", "records", "pending"]
SECOND = ["history", "keys", "pending", "records", "unlock"]


def copied(phone, number, stores, **more):
    """Replaces the database by one of this version with these stores; `more` goes into each record."""
    equal(phone.browser.result(COPY, number, stores, more), number)


def test_takes_the_older_version_over():
    """what version 1 of the page stored approves"""
    with Phone("older") as phone:
        allowed("olaf", "olaf-phone@example.org", phone.enrolled("olaf-phone@example.org"))
        copied(phone, 1, FIRST)
        console = sudo("olaf")
        equal(console.given(phone.approves(console.scanned)), ("root", 0))
        equal(phone.browser.result(ROWS), [2, SECOND, 1])


def test_leaves_a_newer_version_alone():
    """the page says that a newer version of it stored something, and changes nothing, neither in a newer
    database nor in a newer row"""
    with Phone("newer") as phone:
        phone.enrolled("nele-phone@example.org")
        copied(phone, 2, SECOND, version=2)
        phone.open(screen="home")
        within(phone.text, "A newer version of this page stored it.")
        absent(phone.text, "Settings")
        phone.enrolled("nils-phone@example.org")
        phone.open(screen="home")
        within(phone.text, "nele-phone@example.org", "nils-phone@example.org")
        copied(phone, 3, [*SECOND, "later"])
        phone.open(screen="end newer")
        phone.screenshot("newer")
        equal(phone.browser.result(ROWS), [3, sorted([*SECOND, "later"]), 2])


def test_says_what_cannot_be_read():
    """a database that is half written is reported and not replaced"""
    with Phone("damaged") as phone:
        phone.enrolled("dora-phone@example.org")
        copied(phone, 2, ["keys"])
        phone.open(screen="end unread")
        phone.screenshot("unread")
        within(phone.text, "Nothing was changed")
