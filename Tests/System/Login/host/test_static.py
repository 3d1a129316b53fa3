# SPDX-License-Identifier: Apache-2.0
# The module built with the ordinary Swift runtime, the fallback for Embedded Swift, logs in too.
# `make test-long` builds it; `make test` compiles the same sources as ordinary Swift for their own tests.
import pytest

from house import Login, as_user, finish, install, pamtester, site, spawn
from support import LONG, equal, within
from test_sshd import KEY_AND_PIN, Sshd, ssh


@pytest.mark.skipif(not LONG, reason="the long run builds it")
def test_static_module():
    """the module of `make pam-static` lets in and refuses by pamtester, sudo and sshd"""
    install("build/static/pam_mpin.so")
    try:
        equal(pamtester("mpin", "alice", site().alice + "\n")[0], "success")
        login = Login("mpin", "alice", "Kestrel-0000", "Kestrel-0001", None)
        equal(login.code, "CONV_ERR")
        within(login.screen, "Wrong PIN. Tries left: 2.")
        child = spawn(*as_user("alice"), "sudo", "-k", "id", "-un")
        child.expect("PIN for .*: ")
        child.sendline(site().alice)
        within(finish(child)[0], "root")
        with Sshd(*KEY_AND_PIN):
            within(ssh("alice", site().alice)[0], "alice\n")
    finally:
        install()
