# SPDX-License-Identifier: Apache-2.0
# Prompts that stay open: they end after a time, and any number of them leaves other logins working.
import subprocess
import time

from house import Login, as_user, finish, plain, settings, site, spawn
from phones import phone_settings, phones
from support import LONG, equal, within
from test_time_limits import timed_out

# Runs as an ordinary account: opens this many su prompts, each at its own terminal.
OPENS_PROMPTS = """
import os, pty, signal, sys
resource = __import__("resource")
resource.setrlimit(resource.RLIMIT_NOFILE, (2048, 2048))
# Whoever runs the tests with nohup has it ignored, by every su too.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
terminals, children = [], []
for _ in range(int(sys.argv[1])):
    child, terminal = pty.fork()
    if child == 0:
        os.execv("/usr/bin/su", ["su", sys.argv[2], "-c", "true"])
    children.append(child)
    terminals.append(terminal)
for terminal in terminals:
    screen = b""
    while b"code from your phone" not in screen and b"PIN for" not in screen:
        try:
            screen += os.read(terminal, 4096)
        except OSError:
            sys.exit("a prompt ended: %r" % screen)
print("open", flush=True)
sys.stdin.read()
for child in children:
    os.kill(child, signal.SIGHUP)
for child in children:
    os.waitpid(child, 0)
"""
# Runs as _mpin: starts this many processes, in place of its relays.
STANDS_FOR_RELAYS = """
import os, signal, sys, time
for _ in range(int(sys.argv[1])):
    if os.fork() == 0:
        time.sleep(600)
        os._exit(0)
print("open", flush=True)
sys.stdin.read()
os.killpg(0, signal.SIGKILL)
"""


class Crowd:
    """A program that keeps prompts or processes open while the block runs."""

    def __init__(self, user, program, *words):
        self.command = [*as_user(user), "/usr/bin/python3", "-c", program, *map(str, words)]

    def __enter__(self):
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True)
        equal(self.process.stdout.readline(), "open\n")

    def __exit__(self, *_):
        # A refused su ends after a pause, and a thousand of them take a while.
        self.process.stdin.close()
        self.process.wait(300)


def test_many_open_prompts():
    """1,100 open su prompts of one account leave all other users' logins working"""
    phones()
    # Processes of the relay's account stand for most of the relays: that takes a second instead of minutes.
    prompts, others = (1_100, 1) if LONG else (40, 1_060)
    with phone_settings("deadline = 600\n"), Crowd("dora", OPENS_PROMPTS, prompts, "erin"):
        with Crowd("_mpin", STANDS_FOR_RELAYS, others):
            with settings():
                for _ in range(3):
                    equal(Login("mpin", "bob", site().bob).code, "SUCCESS")


def test_prompts_end():
    """the deadline of a login ends an open prompt of su, sudo and login at a terminal"""
    phones()
    su, sudo = [*as_user("bob"), "su", "erin", "-c", "true"], [*as_user("erin"), "sudo", "-k", "true"]
    for method, prompt, commands in (
        ("pin", "PIN for ", [su, sudo, ["login", "erin"]]), ("pin phone", "PIN or approval code", [su]),
    ):
        # login's own time limit is not the one that ends it.
        with phone_settings(f"deadline = 6\nmethod = {method}\n"), timed_out(600):
            for command in commands:
                started = time.monotonic()
                child = spawn(*command, timeout=60)
                child.expect(prompt)
                screen, status = finish(child)
                # login has its own handler, which prints this text and exits with 0.
                assert status != 0 or "Login timed out" in screen, screen
                assert time.monotonic() - started > 5, (command, screen)


def test_terminal_is_put_back():
    """a su prompt that its deadline ends leaves the terminal with echo on, and says that it took too long"""
    with settings("deadline = 5"):
        child = spawn(*as_user("bob"), "sh", "-c", "su alice -c true; echo ended $?; stty -a")
        child.expect("PIN for ")
        screen, _ = finish(child)
        within(plain(screen), "That took too long. Try again.", "ended 1")
        assert " echo " in plain(screen), screen


def test_ignored_alarm():
    """a user who starts su with SIGALRM ignored or blocked does not get a prompt without a deadline"""
    for disposition in "signal(SIGALRM, SIG_IGN)", "pthread_sigmask(SIG_BLOCK, [SIGALRM])":
        program = f"from signal import *\nimport os\n{disposition}\nos.execv('/usr/bin/su', ['su', 'alice'])"
        with settings("deadline = 5"):
            child = spawn(*as_user("bob"), "/usr/bin/python3", "-c", program, timeout=60)
            child.expect("PIN for ")
            finish(child)
