# SPDX-License-Identifier: Apache-2.0
# The strike-out of a backup code: by many logins at once, on full disks, under limits, failing and killed.
import contextlib
import os

from harness import LOG, equal, test, within
from house import Login, STORE, as_user, finish, run, settings, spawn
from test_codes import NAMED, left, new_codes, sudo

CODES = f"{STORE}/codes"
# The system calls by which a strike-out is written, and where each of them may fail.
CALLS = ["write", "fchmod", "fsync", "renameat"]


def his_file(user="alice"):
    return run("id", "-u", user).strip()


@test
def one_code_at_once():
    """of two sudo logins with one code at once one succeeds at most"""
    codes = new_codes()
    with settings(NAMED):
        for index, code in enumerate(codes[:4]):
            children = [sudo() for _ in range(3)]
            for child in children:
                child.sendline(code)
            ended = [finish(child) for child in children]
            equal(sorted(status for _, status in ended), [0, 1, 1], ended)
            equal(left(), 7 - index)


@test
def full_disk():
    """on a full, a read-only or an inodeless disk a code is denied, stays, and is good when there is room"""
    codes = new_codes()
    text = open(f"{CODES}/{his_file()}").read()

    def denied(problem):
        mark = LOG.mark()
        equal(Login("mpin", "alice", codes[0]).code, "SERVICE_ERR", problem)
        equal(LOG.record(mark)[1]["problem"], "system")
        equal(left(), 8, problem)

    for options in "size=16k,mode=700", "size=1m,nr_inodes=3,mode=700":
        run("mount", "-t", "tmpfs", "-o", options, "codes", CODES)
        try:
            with open(f"{CODES}/{his_file()}", "w") as file:
                file.write(text)
            os.chmod(file.name, 0o600)
            with contextlib.suppress(OSError), open(f"{CODES}/filler", "wb", buffering=0) as filler:
                while filler.write(bytes(4096)):
                    if "inodes" in options:
                        break
            with settings(NAMED):
                denied(options)
                os.unlink(f"{CODES}/filler")
                run("mount", "-o", "remount,ro", CODES)
                denied("read-only")
                run("mount", "-o", "remount,rw", CODES)
                equal(Login("mpin", "alice", codes[0]).code, "SUCCESS")
                equal(Login("mpin", "alice", codes[0], None).code, "CONV_ERR")
        finally:
            run("umount", CODES)


@test
def no_file_may_grow():
    """under `ulimit -f 0` a code lets in once at most, and the login program lives"""
    codes = new_codes()
    with settings(NAMED):
        limit = ["prlimit", "--fsize=0", "--"]
        for _ in range(2):
            login = Login("mpin", "alice", codes[0], prefix=limit)
            equal(login.code, "SERVICE_ERR")
            equal(left(), 8)
        ended = []
        for _ in range(2):
            child = spawn("sh", "-c", "ulimit -f 0; exec " + " ".join(as_user("alice")) + " sudo -k id -un")
            child.expect("PIN for .*: ")
            child.waitnoecho()
            child.sendline(codes[1])
            ended.append(finish(child)[1])
        # sudo lifts the limits of its caller.
        assert ended in ([0, 1], [1, 1]), ended


@test
def each_call_fails():
    """a strike-out that fails or is killed at any call lets nobody in and leaves a whole file"""
    codes = new_codes(count=16)
    counted = 16
    with settings(NAMED):
        for call in CALLS:
            for fault in "error=EIO", "signal=KILL":
                # Of many writes the one of the new file is found by its path.
                where = ["-P", f"{CODES}/.new.{his_file()}"] if call == "write" else []
                strace = ["strace", "-f", "-qq", "-o", "/dev/null", *where, "-e", f"trace={call}",
                          "-e", f"inject={call}:{fault}:when=1"]
                try:
                    login = Login("mpin", "alice", codes[0], prefix=strace)
                    assert login.code == "SERVICE_ERR" and fault == "error=EIO", (call, fault, login.code)
                except AssertionError as error:
                    within(str(error), "the host process ended with")
                    equal(fault, "signal=KILL", call)
                equal(left(), counted, (call, fault))
        # The folder's own fsync comes after the rename: the code is gone, and nobody is in.
        strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync", "-e",
                  "inject=fsync:error=EIO:when=2"]
        equal(Login("mpin", "alice", codes[0], prefix=strace).code, "SERVICE_ERR")
        equal(left(), counted - 1)
        equal(Login("mpin", "alice", codes[1]).code, "SUCCESS")


@test
def locked_store():
    """a store that somebody keeps locked denies a code in time"""
    codes = new_codes()
    with settings(NAMED):
        holder = spawn("flock", f"{STORE}/users/.lock", "sh", "-c", "echo held; read line")
        holder.expect("held")
        mark = LOG.mark()
        login = Login("mpin", "alice", codes[0])
        equal((login.code, LOG.record(mark)[1]["problem"]), ("SERVICE_ERR", "locked"))
        holder.sendline("")
        finish(holder)
        equal(Login("mpin", "alice", codes[0]).code, "SUCCESS")
