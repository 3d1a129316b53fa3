# SPDX-License-Identifier: Apache-2.0
# mpind as the D-TA of another RPS: recorded requests of a Milagro RPS and its clients get the recorded
# answers.
import calendar
import collections
import contextlib
import glob
import hashlib
import hmac
import json
import os
import sqlite3
import subprocess
import tempfile
import time
import pytest

from support import CHECKOUT, equal, eventually, status
from urllib.parse import parse_qsl, urlencode, urlsplit

from daemon import Mpind
from test_transcripts import TRANSCRIPTS, lines

APP_ID, APP_KEY = "a2fcdf24c98e11e4b69d02547e1fd4a1", "44c08e9ee32e44a5b1e6d1ae2a5c1d6f"
SIGNED = {
    "/serverSecret": ["app_id", "expires"],
    "/clientSecret": ["app_id", "hash_mpin_id", "hash_user_id", "expires"],
    "/timePermit": ["hash_mpin_id"],
    "/timePermits": ["hash_mpin_id"],
}


class Authority(Mpind):
    """A D-TA: the master secret is in a separate process without a network."""

    def __init__(self, programs, role):
        self.authority = None
        with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as file:
            json.dump({"app_id": APP_ID, "app_key": APP_KEY, "api_url": "http://127.0.0.1/"}, file)
        self.credentials, self.issued = file.name, set()
        self.ready = 0
        super().__init__(programs, role=role, rps_credentials=self.credentials,
                         authority_socket=self.credentials + ".sock")

    def start(self):
        if not self.authority:
            self.authority = subprocess.Popen(
                ["unshare", "--net", self.program, "authority", "--data", f"{self.home}/authority",
                 "--listen", self.credentials + ".sock"], stderr=subprocess.DEVNULL)
        super().start()

    def close(self):
        super().close()
        if self.authority:
            self.authority.kill()
            self.authority.wait()
        os.unlink(self.credentials)


def signature(*parts):
    return hmac.new(APP_KEY.encode(), "".join(parts).encode(), hashlib.sha256).hexdigest()


def signed(path, later=60, **arguments):
    """A request as an RPS signs it."""
    end = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + later))
    query = {"app_id": APP_ID, "expires": end, "hash_user_id": "", **arguments}
    command = [] if path.startswith("/timePermit") else [path[1:]]
    query["signature"] = signature(*command, *[query[name] for name in SIGNED[path]])
    return f"{path}?{urlencode(query)}"


def recorded():
    """The requests of RPS and clients to the two D-TAs, without those that the recording inserted."""
    for name in sorted(glob.glob("*.jsonl", root_dir=os.path.join(CHECKOUT, TRANSCRIPTS))):
        for line in lines(name):
            if line["edge"] in ("dta", "miracl-dta") and not line["shim"]:
                yield name, line


def again(line, base):
    """The recorded request with the current time, signed with our key if it had a right signature."""
    url = urlsplit(line["request"]["path"])
    query = dict(parse_qsl(url.query, keep_blank_values=True))
    try:
        end = calendar.timegm(time.strptime(query.get("expires", ""), "%Y-%m-%dT%H:%M:%SZ"))
        query["expires"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(base + end - int(line["t"])))
    except ValueError:
        pass
    names = SIGNED.get(url.path)
    if names and len(query.get("signature", "")) == 64:
        values = {**query, "app_id": APP_ID}
        command = [] if url.path.startswith("/timePermit") else [url.path[1:]]
        query["signature"] = signature(*command, *[values.get(name, "") for name in names])
    return f"{url.path}?{urlencode(query)}" if url.query else url.path, url.path, query


def difference(mpind, path, query, answered):
    """The reason why our answer differs from the recorded one, and our status; None if it does not."""
    of = query.get("hash_mpin_id")
    if answered == 500:
        return "an invalid time is answered", 408
    if answered == 200 and path == "/clientSecret" and of in mpind.issued:
        return "a client secret is given once", 403
    if answered == 200 and path.startswith("/timePermit") and of not in mpind.issued:
        return "a permit needs a client secret", 410
    return None, answered


@pytest.mark.mpind(registration="confirm")
def test_whole_record(mpind):
    """The recorded requests to two D-TAs get the recorded answers, or differ for a known reason."""
    programs, seen = os.path.dirname(mpind.program), collections.Counter()
    first, second = Authority(programs, "dta1"), Authority(programs, "dta2")
    try:
        base = int(time.time())
        for name, line in recorded():
            role = first if line["edge"] == "dta" else second
            # Each start of the RPS was recorded at another time.
            if "/serverSecret" in line["request"]["path"]:
                role.ready += 1
            target, path, query = again(line, base + role.ready)
            reason, wanted = difference(role, path, query, line["response"]["status"])
            answer = role.wire().get(target)
            equal(answer.status, wanted, f"{name}, {line['seq']}: {target} ({reason}): {answer}")
            seen[reason] += 1
            if answer.status != 200 or reason:
                continue
            if path == "/clientSecret":
                role.issued.add(query["hash_mpin_id"])
            equal(sorted(answer.json), sorted(json.loads(line["response"]["body"])), path)
            for field in ("serverSecret", "clientSecret", "timePermit"):
                if field in answer.json:
                    equal(len(answer.json[field]), len(json.loads(line["response"]["body"])[field]), field)
        assert seen[None] > 120, seen
        equal(sorted(filter(None, seen)), [
            "a client secret is given once", "a permit needs a client secret",
            "an invalid time is answered"])
    finally:
        first.close()
        second.close()


@pytest.mark.mpind(registration="confirm")
def test_replayed(mpind):
    """A D-TA gives its server secret once for each signature, even after it was killed."""
    dta = Authority(os.path.dirname(mpind.program), "dta1")
    try:
        wish = signed("/serverSecret")
        status(dta.wire().get(wish), 200)
        dta.process.kill()
        dta.process.wait()
        dta.start()
        status(dta.wire().get(wish), 403)
        status(dta.wire().get(signed("/serverSecret", later=90)), 200)
        status(dta.wire().get(signed("/serverSecret", later=-5)), 408)
        status(dta.wire().get(signed("/serverSecret", later=600)), 408)
        done = subprocess.run([dta.program, "user", "list", "--config", dta.conf], capture_output=True,
                              text=True, timeout=60)
        equal(done.returncode, 1, done.stderr)
        assert "only a trust authority (role = dta1)" in done.stderr, done.stderr
        assert "role=dta1" in dta.said() or 'role="dta1"' in dta.said(), dta.said()
    finally:
        dta.close()


@pytest.mark.mpind(registration="confirm")
def test_nonces_end(mpind):
    """A D-TA removes the nonce of a signed request when its time is over."""
    dta = Authority(os.path.dirname(mpind.program), "dta1")
    try:
        status(dta.wire().get(signed("/serverSecret")), 200)
        dta.process.kill()
        dta.process.wait()
        with contextlib.closing(sqlite3.connect(f"{dta.home}/data/mpind.db")) as database:
            with database:
                equal(database.execute("UPDATE nonces SET expires_at = 1").rowcount, 1)
            dta.start()
            left = "SELECT count(*) FROM nonces"
            eventually(lambda: database.execute(left).fetchone() == (0,), "the removal")
    finally:
        dta.close()


@pytest.mark.mpind(registration="confirm")
def test_insatiable(mpind):
    """A client that requests its permit from a D-TA again and again does not delay others."""
    dta = Authority(os.path.dirname(mpind.program), "dta2")
    try:
        ids = [hashlib.sha256(name).hexdigest() for name in (b"mallory", b"alice")]
        wire = dta.wire()
        for name in ids:
            status(wire.get(signed("/clientSecret", hash_mpin_id=name)), 200)
        for _ in range(2_600):
            status(wire.get(signed("/timePermits", hash_mpin_id=ids[0], count="7")), 200)
        status(wire.get(signed("/timePermits", hash_mpin_id=ids[1], count="7")), 200)
    finally:
        dta.close()
