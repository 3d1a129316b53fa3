# SPDX-License-Identifier: Apache-2.0
# A relay that the test plays: it sees every frame of a login, and answers through the true relay or as it
# chooses.
import os
import shutil
import socket
import struct
import subprocess
import threading

from house import HERE
from support.seal import field

RELAY = "/usr/libexec/pam_mpin/mpin-relay"
STANDIN = "/usr/libexec/pam_mpin/relay-standin"
HELLO, SETTINGS, PERMITS, PASS1, PASS2, AUTHENTICATE = range(1, 7)
SESSION, END, STANDING = 16, 17, 19
ANSWER = 128


def fields(frame):
    """The kind of a frame and its fields."""
    found, rest = [], frame[1:]
    while rest:
        count, = struct.unpack(">H", rest[:2])
        found.append(rest[2:2 + count])
        rest = rest[2 + count:]
    return frame[0], found


def frame(kind, *parts):
    return bytes([kind]) + b"".join(map(field, parts))


class TrueRelay:
    """mpin-relay, started as the module starts it."""

    def __init__(self):
        self.channel, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.process = subprocess.Popen(
            [RELAY], env={}, user="_mpin", group="_mpin", extra_groups=[], pass_fds=(3,), cwd="/",
            preexec_fn=lambda: os.dup2(other.fileno(), 3))
        other.close()

    def exchange(self, question):
        self.channel.send(question)
        return self.channel.recv(65536)

    def close(self):
        self.channel.close()
        self.process.wait(60)


class StandIn:
    """Answers each question by `play(relay, question)`; None ends the relay. Used by `with`."""

    def __init__(self, play=lambda relay, question: relay.exchange(question)):
        self.play, self.questions, self.answers, self.processes = play, [], [], []

    def __enter__(self):
        shutil.copy(os.path.join(HERE, "programs", "relay-standin"), STANDIN)
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.listener.bind("/run/standin")
        os.chmod("/run/standin", 0o666)
        self.listener.listen()
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def _serve(self):
        while True:
            try:
                module, _ = self.listener.accept()
            except OSError:
                return
            self.processes.append(Process(module))
            relay = TrueRelay()
            try:
                while question := module.recv(65537):
                    self.questions.append(question)
                    answer = self.play(relay, question)
                    if answer is None:
                        break
                    for packet in answer if isinstance(answer, list) else [answer]:
                        self.answers.append(packet)
                        module.send(packet)
            except ConnectionError:
                pass
            finally:
                module.close()
                relay.close()

    def __exit__(self, *_):
        os.unlink("/run/standin")
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def asked(self, kind):
        """The fields of every question of this kind."""
        return [found for number, found in map(fields, self.questions) if number == kind]


class Process:
    """What the kernel reports about the process at the other end of a socket."""

    def __init__(self, connection):
        peer = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
        folder = f"/proc/{struct.unpack('3i', peer)[0]}"
        self.status = dict(line.split(":\t", 1) for line in open(f"{folder}/status").read().splitlines())
        numbers = os.listdir(f"{folder}/fd")
        self.descriptors = {int(number): os.readlink(f"{folder}/fd/{number}") for number in numbers}
        self.environment = open(f"{folder}/environ", "rb").read()
        self.folder = os.readlink(f"{folder}/cwd")
        self.session = open(f"{folder}/stat").read().rsplit(")", 1)[1].split()[3:5]
        self.limits = {line[:26].strip(): line[26:].split()[:2] for line in open(f"{folder}/limits")}


def host_key():
    """K_host from the file that root keeps."""
    for line in open("/var/lib/mpin/host"):
        key, _, value = line.partition("=")
        if key.strip() == "key":
            return bytes.fromhex(value.strip())
    raise AssertionError("no key")
