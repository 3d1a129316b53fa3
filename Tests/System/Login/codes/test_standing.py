# SPDX-License-Identifier: Apache-2.0
# Backup codes by what this host last learned of their account: the answers that `mpin standing` keeps.
import contextlib
import itertools
import json
import os

from doctor import Told
from house import CONF, HOST, PUBLIC, STORE, Login, no_server, run, settings, site
from proxy import Answers, Proxy
from support import LOG, equal, replaced, within
from test_codes import NAMED, left, new_codes
from test_faults import PROXY

COUNT = itertools.count()
AWAY = "192.0.2.80"  # This address cannot be reached from the sandbox.


def standing(*options, status=0):
    """What `mpin standing` reports."""
    return json.loads(run("mpin", "standing", "--json", *options, status=status))


@contextlib.contextmanager
def revoked(user):
    """An account with backup codes that was revoked after they were made; its codes."""
    run("useradd", "--create-home", user)
    name = f"{user}{next(COUNT)}@example.org"
    site().mpind.enrol(user, name, "4711")
    codes = new_codes(user)
    site().mpind.admin("user", "revoke", name)
    try:
        yield codes
    finally:
        run("mpin", "remove", user)
        run("userdel", "--remove", user)


def kept(user="alice"):
    return f"{STORE}/codes/{run('id', '-u', user).strip()}.standing"


def test_revoked_while_away():
    """a revoked account's code is refused, whatever is done to the network once the host has asked again"""
    with revoked("rita") as codes, settings(NAMED):
        # The host has asked when the codes were made, and not since.
        with no_server():
            mark = LOG.mark()
            equal(Login("mpin", "rita", codes[0]).code, "SUCCESS")
            pairs = LOG.record(mark)[1]
            equal((pairs["standing"], int(pairs["age"]) < 600), ("kept", True))
        told = standing()
        within(told["revoked"], "rita")
        within(told["answered"], "rita")
        equal(told["unanswered"], [])
        with no_server():
            mark = LOG.mark()
            equal(Login("mpin", "rita", codes[1]).code, "PERM_DENIED")
            within(LOG.record(mark)[2], "revoked")
        with settings(NAMED, backend=f"https://{AWAY}"):
            equal(Login("mpin", "rita", codes[1]).code, "PERM_DENIED")
        for status in 403, 408, 429, 500, 503:
            with Proxy(PROXY, PUBLIC, Answers("standing", status, b"{}")) as proxy:
                with settings(NAMED, backend=f"unix:{PROXY}"):
                    mark = LOG.mark()
                    equal(Login("mpin", "rita", codes[1]).code, "PERM_DENIED", status)
                within(LOG.since(mark, "calls=")[0], f"standing:{status}")
            equal(proxy.calls, ["/rps/standing"])
        equal(left("rita"), 7)


def test_without_an_answer():
    """a code is refused while the server is away if nothing is kept of its account, and good later"""
    codes = new_codes()
    os.unlink(kept())
    with settings(NAMED):
        with no_server():
            mark = LOG.mark()
            equal(Login("mpin", "alice", codes[0]).code, "AUTHINFO_UNAVAIL")
            within(LOG.record(mark)[2], "unavailable")
            equal(left(), 8)
            within(standing(status=3)["unanswered"], "alice")
        equal(Login("mpin", "alice", codes[0]).code, "SUCCESS")
        within(standing()["answered"], "alice")
        with no_server():
            equal(Login("mpin", "alice", codes[1]).code, "SUCCESS")


def test_old_answers():
    """an answer counts for backup-code-offline days, and not under a new host key"""
    codes = new_codes()
    ask = open(kept()).read()
    with no_server():
        for days, code in (0, "AUTHINFO_UNAVAIL"), (1, "SUCCESS"):
            with settings(f"{NAMED}\nbackup-code-offline = {days}"):
                equal(Login("mpin", "alice", codes[0]).code, code, days)
    code = site().mpind.admin("host", "rotate", HOST)["joinCode"]
    run("mpin", "host", "join", HOST, fds={"--code-fd": code + "\n"})
    equal(open(kept()).read(), ask)
    with settings(NAMED):
        with no_server():
            equal(Login("mpin", "alice", codes[1]).code, "AUTHINFO_UNAVAIL")
        standing()
        with no_server():
            equal(Login("mpin", "alice", codes[1]).code, "SUCCESS")


def test_doctor_on_standing():
    """doctor warns when the server has not answered about backup codes for an hour"""
    new_codes()
    with settings(NAMED):
        equal("standing-old" in Told().words("warning"), False)
        os.unlink(kept())
        told = Told()
        assert "standing-old" in told.words("warning"), told.findings
        within(told.about("standing-old")[0]["message"], "'alice'")
        standing()
        equal("standing-old" in Told().words("warning"), False)


def test_made_without_a_server():
    """codes that are made while the server is away say what they depend on"""
    with no_server(), replaced(CONF, f"backend = unix:{PUBLIC}\nmethod = pin\n{NAMED}\n"):
        run("mpin", "backup-codes", "alice", "--remove", status=None)
        said = run("mpin", "backup-codes", "alice")
        within(said, "without it they may be refused: ", "cannot be reached")
    within(standing()["answered"], "alice")
