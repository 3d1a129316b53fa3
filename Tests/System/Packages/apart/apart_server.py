# SPDX-License-Identifier: Apache-2.0
# The second machine of apart.py: a server without M-Pin, which alice administers over ssh.
import os
import shutil
import time

from apart_wire import SERVER, named
from host import run

named(SERVER, "login.example.org")
run("useradd", "--create-home", "--shell", "/bin/bash", "alice")
with open("/etc/sudoers.d/tests", "w") as file:
    file.write("alice ALL=(ALL) NOPASSWD: ALL\n")
key = "/results/alice.pub"
while not os.path.exists(key):
    time.sleep(0.1)
os.mkdir("/home/alice/.ssh", 0o700)
shutil.copy(key, "/home/alice/.ssh/authorized_keys")
run("chown", "-R", "alice:", "/home/alice/.ssh")
with open("/results/server-is-ready", "w"):
    pass
# Waits until the end of the other machine ends this one.
time.sleep(600)
