# SPDX-License-Identifier: Apache-2.0
# Logins in services that are confined, in containers, and in programs that wait for children in unusual ways.
import errno
import os
import re
import socket
import subprocess

from away import silent_name_server
from callers import call, compiled
from house import LOGIN, SETUID, settings, site, stack
from standin import STANDIN
from support import LOG, equal, within

# PID 1 of a container that only waits for what it starts itself; prints what else is there in the end. `kill`
# in place of a number: one login, whose relay is killed while a child of its own looks up a name.
INIT = """
import os, subprocess, sys, time
def relays():
    found = {}
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = open(f"/proc/{process}/stat").read().replace(")", " ) ").split()
        except OSError:
            continue
        if words[1] == "(mpin-relay":
            found[words[0]] = words[4]
    return found
logins = 1 if sys.argv[1] == "kill" else int(sys.argv[1])
for _ in range(logins):
    login = subprocess.Popen(sys.argv[2:])
    while sys.argv[1] == "kill":
        found = relays()
        parents = [parent for parent in found.values() if parent in found]
        if parents:
            os.kill(int(parents[0]), 9)
            break
        time.sleep(0.01)
    print(login.wait(), end=" ")
for process in filter(str.isdigit, os.listdir("/proc")):
    if process != "1":
        print(open(f"/proc/{process}/stat").read().split(") ")[0], end=" ")
"""
# Without these a program cannot end, or return from a signal, and libc aborts it.
NEEDED = {"exit", "exit_group", "rt_sigreturn", "restart_syscall", "futex"}
# What the log says of calls without which libc gives a wrong answer, or no program starts.
TOLD = {"getrandom": "no-randomness", "lseek": "no-such-account", "geteuid": "caller-not-root",
        "pread64": 'exit="127"', "arch_prctl": 'exit="127"'}


# How a filter refuses a call; the long run tries both ways.
ERRORS = [errno.EPERM, errno.ENOSYS] if os.environ.get("MPIN_FUZZ") else [errno.EPERM]


def contained(logins, *words):
    """What a container's PID 1 saw: the results of the logins, and every process that was left."""
    command = ["unshare", "--pid", "--fork", "--mount-proc", "/usr/bin/python3", "-c", INIT, str(logins)]
    done = subprocess.run(
        [*command, *SETUID, compiled(), *words], capture_output=True, text=True, timeout=120)
    return done.stdout.split()


def test_no_reaper():
    """where PID 1 waits for nothing, no login leaves a process, whatever its program does with children"""
    stack("mpin", *LOGIN)
    for condition in [], ["subreaper"], ["ignore"], ["nocldwait"], ["wall"]:
        equal(contained(4, "mpin", "alice", site().alice, *condition), ["0"] * 4, condition)


def test_no_reaper_and_a_silent_relay():
    """where PID 1 waits for nothing, a relay that must be killed leaves no process either"""
    with open(STANDIN, "w") as file:
        file.write("#!/bin/sh\nexec sleep 100\n")
    os.chmod(STANDIN, 0o755)
    with settings(f"call-timeout = 1\nconnect-timeout = 1\nrelay = {STANDIN}\n"):
        equal(contained(1, "mpin", "alice", site().alice), ["9"])


def test_no_reaper_and_a_lookup():
    """where PID 1 waits for nothing, a relay that is killed while it looks up a name leaves no process"""
    with silent_name_server(), settings(backend="https://mpind.test"):
        equal(contained("kill", "mpin", "alice", site().alice), ["3"])


def test_without_netlink():
    """a service whose unit allows only AF_UNIX, AF_INET and AF_INET6 lets in by the right PIN"""
    refused = f"refuse={number('socket')}:{errno.EAFNOSUPPORT}:{socket.AF_NETLINK}"
    equal(call("mpin", "alice", site().alice, refused), "SUCCESS")


def test_without_internet():
    """a service that may not use the internet, but whose server is there, refuses; the log names the call"""
    refused = f"refuse={number('socket')}:{errno.EAFNOSUPPORT}:{socket.AF_INET}"
    with settings(backend="http://127.0.0.1:1"):
        mark = LOG.mark()
        equal(call("mpin", "alice", site().alice, refused), "AUTHINFO_UNAVAIL")
    within(LOG.record(mark, "mpin-relay")[2], f'call="socket" errno="{errno.EAFNOSUPPORT}"')


def test_refused_calls():
    """whatever system call a service may not make, a login succeeds, or the log names the call; it never
    hangs, and no process crashes"""
    stack("mpin", *LOGIN)
    wrong = []
    for number, name in calls():
        for error in ERRORS:
            mark = LOG.mark()
            result = call("mpin", "alice", site().alice, f"refuse={number}:{error}:0", timeout=40)
            said = LOG.since(mark)
            tells = result == "SUCCESS" or explains(name, said) or not said
            # Without this call the module cannot take its child away.
            tells = tells or (name, result) == ("waitid", "left")
            if name not in NEEDED and (not tells or result.startswith("signal")):
                wrong.append((name, error, result, said))
    equal(wrong, [])


def explains(name, said):
    """Whether the log has the name of the call, or libpam's reason why it cannot start or load the module."""
    told = TOLD.get(name, f'"{name}"')
    return any(told in line or " PAM " in line for line in said)


def number(name):
    return dict(map(reversed, calls()))[name]


def calls(seen=[]):
    """Number and name of each system call that a login makes in any of its processes, from the moment at
    which a filter could begin."""
    if not seen:
        trace = "/run/trace"
        subprocess.run(["strace", "-f", "-n", "-qq", "-o", trace, compiled(), "mpin", "alice", site().alice,
                        "refuse=9999:1:0"], check=True, timeout=60)
        made = open(trace).read().split("PR_SET_SECCOMP", 1)[1]
        seen += sorted({(int(number), name) for number, name in re.findall(r"\[ *(\d+)\] (\w+)\(", made)})
    return seen
