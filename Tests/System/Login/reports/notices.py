# SPDX-License-Identifier: Apache-2.0
# What tests of notices share: logins that report wrong PINs, and answers that an attacker in between has
# changed.
import contextlib
import json
import pwd
import subprocess
import time

from house import Login, as_user, plain, run, site, spawn
from standin import host_key
from support import equal, seal

WRONG = "Kestrel-0000"


def local(user):
    return f"local:{pwd.getpwnam(user).pw_uid}"


def notices(screen):
    return [line.strip() for line in plain(screen).split("\n") if "since your last login" in line]


def tells(screen, sentence, began):
    """The screen has exactly this sentence on its own line; {} stands for a minute since `began`."""
    minutes = range(int(began) // 60, int(time.time()) // 60 + 1)
    times = [time.localtime(minute * 60) for minute in minutes]
    wanted = [sentence.format(f"{when.tm_mday} {time.strftime('%b %H:%M', when)}") for when in times]
    told = notices(screen)
    assert len(told) == 1 and told[0] in wanted, f"{told} is not one of {wanted}:\n{screen}"


def seen(pin=None):
    """One login of alice in a service that shows notices, which sudo is not: its screen."""
    login = Login("mpin", "alice", pin or site().alice)
    equal(login.code, "SUCCESS", login.screen)
    return login.screen.replace("|", "\n")


def told_so_far():
    """Makes alice see the notice of earlier tests' wrong tries, so that the next notice is empty."""
    seen()
    equal(notices(seen()), [])


@contextlib.contextmanager
def addresses(*addresses):
    """This machine also has these addresses while the block runs, so that ssh can use them as sources."""
    for address in addresses:
        run("ip", "address", "add", f"{address}/32", "dev", "lo")
    try:
        yield
    finally:
        for address in addresses:
            run("ip", "address", "del", f"{address}/32", "dev", "lo")


def at_a_shell(pin, *command):
    """A login with a shell, until its first prompt: what is on the screen."""
    child = spawn(*command)
    child.expect("PIN[^:]*: ")
    child.waitnoecho()
    child.sendline(pin)
    child.expect("alice@sandbox:")
    child.close(force=True)
    return child.before


def changed(**fields):
    """Changes fields of the answer; None removes a field."""
    def change(body):
        message = {**json.loads(body), **fields}
        return json.dumps({name: value for name, value in message.items() if value is not None}).encode()
    return change


def flipped(name):
    """Flips one bit of this field."""
    def change(body):
        value = bytearray.fromhex(json.loads(body)[name])
        value[-1] ^= 1
        return changed(**{name: value.hex()})(body)
    return change


def kept(answers):
    """Passes the true answer on and keeps a copy."""
    def change(body):
        answers.append(json.loads(body))
        return body
    return change


def wrong_su(*pins):
    """bob's su to alice with wrong PINs, without a terminal."""
    done = subprocess.run(["setsid", "--wait", *as_user("bob"), "su", "alice", "-c", "id -un"], text=True,
                          input="".join(pin + "\n" for pin in pins), capture_output=True, timeout=60)
    equal(done.returncode, 1, done.stdout + done.stderr)


def wrong_otp(phone, pin=WRONG):
    """A wrong PIN in a command that needs no console."""
    equal(phone.mpin("otp", pin=pin, status=1)["error"]["kind"], "refused")


def asks_from(source, ask):
    """This host's question as a thief of its key would send it, from another source."""
    return seal.asks(seal.asked_again(ask, source), host_key())
