# SPDX-License-Identifier: Apache-2.0
# caller.c as tests use it: compiled once, and run under the conditions of a service.
import functools
import os
import shutil
import subprocess

from house import HERE, NAMES, run

CALLER = "/usr/local/bin/caller"


@functools.cache
def compiled():
    run("gcc", "-O1", "-Wall", "-Wextra", "-Werror", "-o", CALLER, f"{HERE}/programs/caller.c", "-lpam")
    return CALLER


def copy(name, owner, group, mode):
    """A copy of the caller with this owner and mode."""
    path = f"/usr/local/bin/caller-{name}"
    shutil.copy(compiled(), path)
    shutil.chown(path, owner, group)
    os.chmod(path, mode)
    return path


def call(service, user, answer, *conditions, before=(), program=None, timeout=60):
    """PAM's result, `signal N` if a signal ended the caller, or `left` if it has a child in the end."""
    done = subprocess.run([*before, program or compiled(), service, user, answer, *conditions],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout)
    code = done.returncode
    assert code not in (97, 98, 99), (code, conditions, done.stderr)
    if code == 96:
        return "left"
    return f"signal {-code}" if code < 0 else NAMES.get(code, str(code))
