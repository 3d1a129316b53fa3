# SPDX-License-Identifier: Apache-2.0
# The first day on another release of Debian than that of the packages: setup, sudo, ssh, a phone, and the way
# back.
from machine import apt, different, packages, tree
import host
import ways
from host import equal, run

STACKS = "/etc/pam.d", "/etc/ssh"


def installs():
    """the packages of Debian 12 install, and switch nothing on"""
    apt("install", *packages("now"))
    equal(different(BEFORE, tree(*STACKS)), [])


def undone():
    """`mpin setup --undo` restores each file, and alice uses her password again"""
    run("mpin", "setup", "--undo")
    equal(different(BEFORE, tree(*STACKS)), [])
    ways.password("alice")


BEFORE = tree(*STACKS)
host.accounts()
# login(1) of util-linux hangs up the terminal of the test.
host.main(installs, *[way for way in ways.ALL if way is not ways.root_gets_in], undone)
