# SPDX-License-Identifier: Apache-2.0
# A login host on which the packages are installed: helpers for its users' actions, and the runner of the
# tests.
import json
import os
import re
import subprocess
import sys
import time
import traceback

import pexpect

PIN, DEVICE_PIN = "Kestrel-4711", "Osprey-27"
BACKEND = "unix:/run/mpind/mpind.sock"
PASSWORDS = {name: f"unix-{name}" for name in ("root", "alice", "bob", "carol", "dora")}
APPROVAL_CODE = re.compile(r"[A-Z]{3}-[A-Z]{3}")
NUMBER = re.compile(r"\b([0-9]{3}) ([0-9]{4})\b")


def main(*sentences):
    """Runs test functions, whose docstrings are their sentences; the last line sums up."""
    passed = failed = 0
    for sentence in sentences:
        words = " ".join(sentence.__doc__.split())
        started = time.monotonic()
        try:
            sentence()
        except Exception:
            failed += 1
            why = traceback.format_exc() + "\nthe journal:\n" + journal()
            print(f"FAIL {words}\n    " + why.replace("\n", "\n    "), flush=True)
        else:
            passed += 1
            print(f"ok   {words} ({time.monotonic() - started:.1f} s)", flush=True)
    print(f"{passed} passed, {failed} failed", flush=True)
    sys.exit(1 if failed or not passed else 0)


def journal():
    """The last lines of the system's journal."""
    return subprocess.run(["journalctl", "--no-pager", "--lines=30"], capture_output=True, text=True,
                          check=False).stdout


def run(*command, status=0, typed="", **options):
    """Runs a program and returns its output; with `status` None its exit status does not matter."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        command, input=typed, capture_output=True, text=True, timeout=300, env=environment, **options)
    if status is not None and done.returncode != status:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def secretly(*command, status=0, user=None, **answers):
    """`run` with answers on descriptors of their own: `pin` goes to --pin-fd, `code` to --code-fd."""
    command, descriptors = list(command), []
    for option, text in answers.items():
        reading, writing = os.pipe()
        os.write(writing, (text + "\n").encode())
        os.close(writing)
        command += [f"--{option}-fd", str(reading)]
        descriptors.append(reading)
    prefix = ["runuser", "-u", user, "--", "env", f"HOME=/home/{user}"] if user else []
    try:
        return run(*prefix, *command, status=status, pass_fds=descriptors)
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


def report(*command, **options):
    return json.loads(secretly(*command, "--json", **options))


def equal(got, wanted):
    assert got == wanted, f"got {got!r}, wanted {wanted!r}"


def within(text, *parts):
    for part in parts:
        assert part in text, f"{part!r} is not in {text!r}"


def contents(path):
    with open(path) as file:
        return file.read()


class Terminal:
    """A program at a terminal of its own, which is answered as a user would."""

    def __init__(self, *command, user=None):
        prefix = ["runuser", "-u", user, "--"] if user else []
        command = [*prefix, *command]
        self.child = pexpect.spawn(command[0], command[1:], encoding="utf-8", timeout=60, dimensions=(24, 80))

    def shows(self, prompt):
        """Waits for a prompt that does not echo its answer; returns the screen before it."""
        self.child.expect(prompt)
        self.child.waitnoecho(10)
        return self.child.before

    def types(self, text):
        self.child.sendline(text)

    def answers(self, prompt, text):
        """Waits for a prompt and types an answer; returns the screen before it."""
        screen = self.shows(prompt)
        self.types(text)
        return screen

    def gives_up(self):
        self.child.close(force=True)

    def ends(self):
        """Waits for the end; returns the rest of the screen and the exit status."""
        self.child.expect(pexpect.EOF)
        self.child.close()
        return self.child.before.replace("\r", ""), self.child.exitstatus


def sudo(user):
    return Terminal("sudo", "-k", "id", "-un", user=user)


def accounts():
    """Makes the users of this host, with Unix passwords; all but root are in sudoers."""
    for name, password in PASSWORDS.items():
        if name != "root":
            run("useradd", "--create-home", "--shell", "/bin/bash", name)
            with open("/etc/sudoers.d/tests", "a") as file:
                file.write(f"{name} ALL=(ALL) ALL\n")
        run("chpasswd", typed=f"{name}:{password}\n")
    os.chmod("/etc/sudoers.d/tests", 0o440)
    run("runuser", "-u", "alice", "--", "sh", "-c",
        "mkdir -m 700 ~/.ssh && ssh-keygen -q -N '' -t ed25519 -f ~/.ssh/id_ed25519"
        " && cp ~/.ssh/id_ed25519.pub ~/.ssh/authorized_keys", cwd="/home/alice")
