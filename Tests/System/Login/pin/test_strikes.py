# SPDX-License-Identifier: Apache-2.0
# Striking out a backup code: by parallel logins, on full disks, under limits, with failing system calls,
# killed and stopped.
import contextlib
import os
import signal

from house import Login, STORE, as_user, finish, run, settings, spawn
from support import LOG, equal, eventually, within
from test_codes import NAMED, left, new_codes, sudo

CODES = f"{STORE}/codes"


def his_file(user="alice"):
    return run("id", "-u", user).strip()


def test_one_code_at_once():
    """of parallel sudo logins with the same code exactly one succeeds"""
    codes = new_codes()
    with settings(NAMED):
        for index, code in enumerate(codes[:4]):
            children = [sudo() for _ in range(3)]
            for child in children:
                child.sendline(code)
            ended = [finish(child) for child in children]
            equal(sorted(status for _, status in ended), [0, 1, 1], ended)
            equal(left(), 7 - index)


def test_full_disk():
    """on a full disk a code lets in once; on a read-only one it is refused and remains valid"""
    codes = new_codes()
    uid = his_file()
    run("cp", "-a", CODES, "/tmp/codes")
    run("mount", "-t", "tmpfs", "-o", "size=64k,mode=700", "codes", CODES)
    try:
        run("cp", "-a", f"/tmp/codes/{uid}", f"/tmp/codes/{uid}.unused", CODES)
        with contextlib.suppress(OSError), open(f"{CODES}/filler", "wb", buffering=0) as filler:
            while filler.write(bytes(4096)):
                pass
        with settings(NAMED):
            equal(Login("mpin", "alice", codes[0]).code, "SUCCESS")
            equal(Login("mpin", "alice", codes[0], None).code, "CONV_ERR")
            run("mount", "-o", "remount,ro", CODES)
            mark = LOG.mark()
            equal(Login("mpin", "alice", codes[1]).code, "SERVICE_ERR")
            equal((LOG.record(mark)[1]["problem"], left()), ("system", 7))
            run("mount", "-o", "remount,rw", CODES)
            equal(Login("mpin", "alice", codes[1]).code, "SUCCESS")
    finally:
        run("umount", CODES)
        run("rm", "-r", "/tmp/codes")


def test_no_file_may_grow():
    """under `ulimit -f 0` a code lets in once, and the login program survives"""
    codes = new_codes()
    with settings(NAMED):
        ended = [Login("mpin", "alice", *answers, prefix=["prlimit", "--fsize=0", "--"]).code
                 for answers in ((codes[0],), (codes[0], None))]
        equal((ended, left()), (["SUCCESS", "CONV_ERR"], 7))


def test_each_call_fails():
    """a strike-out that fails or is killed at any call does not let in or restore a code"""
    codes = new_codes(count=16)
    counted = 16
    with settings(NAMED):
        for call in "unlinkat", "fsync":
            for fault in "error=EIO", "signal=KILL":
                strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}",
                          "-e", f"inject={call}:{fault}:when=1"]
                code = codes[16 - counted]
                try:
                    login = Login("mpin", "alice", code, prefix=strace)
                    assert login.code == "SERVICE_ERR" and fault == "error=EIO", (call, fault, login.code)
                except AssertionError as error:
                    within(str(error), "the host process ended with")
                    equal(fault, "signal=KILL", call)
                # By the time of fsync the code's file has been unlinked: the code is used up, and the login
                # has failed.
                if call == "fsync" or left() < counted:
                    counted -= 1
                equal(left(), counted, (call, fault))
        equal(Login("mpin", "alice", codes[16 - counted]).code, "SUCCESS")


def test_locked_store():
    """a store that another process keeps locked does not delay a code"""
    codes = new_codes()
    with settings(NAMED):
        holder = spawn("flock", f"{STORE}/users/.lock", "sh", "-c", "echo held; read line")
        holder.expect("held")
        equal(Login("mpin", "alice", codes[0]).code, "SUCCESS")
        holder.sendline("")
        finish(holder)


def test_stopped_caller():
    """a login that is stopped while it strikes out a code does not delay other logins"""
    codes, others = new_codes(), new_codes("bob")
    with settings(NAMED):
        # Stops it at fsync, during which it once held the lock.
        child = spawn("strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync",
                      "-e", "inject=fsync:signal=STOP:when=1", *as_user("bob"), "su", "alice", "-c", "id -un")
        child.expect("PIN for .*: ")
        child.waitnoecho()
        child.sendline(codes[0])
        eventually(lambda: stopped("su"), "su to stop")
        # A login that waited for the stopped one would wait until this test lets that go on.
        equal(Login("mpin", "bob", others[0]).code, "SUCCESS")
        run("mpin", "backup-codes", "bob", "--remove")
        run("mpin", "backup-codes", "alice", "--remove")
        for process in stopped("su"):
            os.kill(process, signal.SIGCONT)
        finish(child)


def stopped(name):
    """The processes of this name that a signal stopped."""
    found = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            text = open(f"/proc/{process}/stat").read()
            words, state = text.rsplit(")", 1)
            if words.endswith(f"({name}") and state.split()[0] in "tT":
                found.append(int(process))
    return found
