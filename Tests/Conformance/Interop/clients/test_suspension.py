# SPDX-License-Identifier: Apache-2.0
# An unmodified Milagro client whose user is suspended: it is refused for a while, and keeps its token.
import time

import pytest

from support import equal, seconds
from support.milagro import good
from test_registration import PIN, registered
from test_sessions import COMPAT, number, until


def test_suspended(mpind):
    """A suspended user is refused with 403, whatever the PIN, and no try is counted."""
    user = registered(mpind, "wilma")
    other = registered(mpind, "yusuf")
    equal(mpind.user("suspend", user.user_id, "--reason", "on leave")["reason"], "on leave")
    equal([user.log_in(pin).status for pin in (PIN, "1", "2", "3", "4", PIN)], [403] * 6)
    equal(other.log_in(PIN).status, 200)
    mpind.restart()
    equal(user.log_in(PIN).status, 403)
    listed = mpind.user("list", "--state", "suspended", "--user", "wilma@*")["users"]
    equal([entry["userId"] for entry in listed], [user.user_id])
    equal(mpind.user("resume", user.user_id), {"identities": 1})
    equal([user.log_in(pin).status for pin in ("1", "2", PIN)], [401, 401, 200])


@pytest.mark.long("Tests/Unit/ServerTests/Admin/SuspensionTests.swift: a suspended device gets 403, keeps "
                  "its token, and logs in after the suspension")
def test_by_itself(mpind):
    """A suspension ends by itself, and the same token logs in."""
    user = registered(mpind, "zita")
    end = mpind.user("suspend", user.user_id, "--for", "15s")["until"]
    equal(user.log_in(PIN).status, 403)
    time.sleep(max(0, seconds(end) + 0.2 - time.time()))
    equal(user.log_in(PIN).status, 200)


def test_between(mpind):
    """A login that was proved before the suspension is refused after it."""
    user = registered(mpind, "ursel")
    said = user.prove(PIN)
    mpind.user("suspend", user.user_id, "--until", "2100-01-01")
    equal(user.redeem(said).status, 403)
    mpind.user("resume", user.user_id)
    equal(user.redeem(said).status, 408)


@pytest.mark.mpind(**COMPAT)
def test_browser(mpind):
    """A proof for a browser is refused once its user is suspended, and the browser is not told."""
    user = registered(mpind, "viktor")
    page = number(mpind)
    proof = user.prove(PIN, wid=page.wid)
    mpind.user("suspend", user.user_id)
    equal(user.redeem_elsewhere(proof).status, 403)
    assert until(page, "new", 1)["authOTT"] == ""
    good(user.permit())
