# SPDX-License-Identifier: Apache-2.0
# `mpin setup` with faults: it refuses or fails, and a login remains possible.
import contextlib
import glob
import os
import subprocess

from doctor import Told
from house import CONF, PUBLIC, run
from support import equal, replaced, within
from test_setup import BEGIN, DEBIAN, HOST, IDENTITY, PIN, SERVICES, both, contents, enrolled, fresh
from test_setup import setup, stacks, sudo, write


def refused(name, text, *words):
    write(f"/etc/pam.d/{name}", text)
    said = setup("--service", name, "--user", f"alice={IDENTITY}", status=2)
    within(said, f"/etc/pam.d/{name}", "Nothing was changed", *words)
    equal(contents(f"/etc/pam.d/{name}"), text)
    assert not os.path.exists(CONF), "settings were written"


def test_edited_by_hand():
    """a stack that was edited by hand is refused with its line, and nothing at all is changed"""
    with fresh():
        refused("sudo", "auth perhaps pam_unix.so\n", ":1", "perhaps")
        refused("sudo", "# mine\nauth required pam_mpin.so\n@include common-auth\n", ":2",
                "mpin setup did not add it")
        refused("sudo", "auth [success=1] pam_wheel.so\n@include common-auth\n", ":1", "by hand")
        refused("sudo", "@include common-auth\nauth required pam_wheel.so\n", "pam_wheel.so", "second")
        refused("sudo", "account required pam_permit.so\n", "no place for a PIN")
        refused("sudo", f"{BEGIN}\n@include common-auth\n", "not a pair")
        write("/etc/pam.d/mine", DEBIAN["sudo"])
        os.unlink("/etc/pam.d/sudo")
        os.symlink("mine", "/etc/pam.d/sudo")
        within(setup("--user", "alice", status=2), "it is a link")
        os.unlink("/etc/pam.d/sudo")
        write("/etc/pam.d/sudo", DEBIAN["sudo"])
        within(setup("--service", "su-l", "--user", "alice", status=2), "--service su")
        within(setup("--service", "nothing", "--user", "alice", status=2), "no such file")
        within(setup("--service", "../shadow", "--user", "alice", status=2), "cannot be a PAM service")
        write(CONF, f"backend = unix:{PUBLIC}\nno line of settings\n")
        within(setup("--user", "alice", status=2), f"{CONF}:2", "nor 'key = value'")
        equal(contents(CONF), f"backend = unix:{PUBLIC}\nno line of settings\n")
        equal(stacks(), DEBIAN)


def test_way_back():
    """setup refuses changes after which root could not log in, unless an option allows them"""
    shadow = contents("/etc/shadow")
    with fresh():
        try:
            run("usermod", "-p", "!locked", "root")
            words = ["--user", f"alice={IDENTITY}", "--unenrolled", "deny", "--service", "sudo",
                     "--backup-codes", "no"]
            within(setup(*words, status=1), "nobody could become root", "--no-way-back")
            equal(stacks(), DEBIAN)
            assert not os.path.exists(CONF), "settings were written"
            run("chpasswd", input="root:unix-root\n")
            within(setup(*words), "switched on", "root's password by login")
            equal(sudo("bob")[1], 1)
            within(setup(*words, "--service", "su", "--service", "login", status=1),
                   "nobody could become root")
            within(setup(*words, "--service", "su", "--service", "login", "--no-way-back"), "switched on")
        finally:
            write("/etc/shadow", shadow)


def test_full_disk():
    """on a full disk the stack remains unchanged, and setup succeeds when there is space again"""
    with fresh():
        enrolled("--service", "su")
        run("mount", "-t", "tmpfs", "-o", "size=256k", "none", "/mnt")
        run("cp", "-a", "/etc/pam.d/.", "/mnt/")
        run("mount", "--move", "/mnt", "/etc/pam.d")
        try:
            filler = os.open("/etc/pam.d/.filler", os.O_WRONLY | os.O_CREAT)
            with contextlib.suppress(OSError):
                while True:
                    os.write(filler, b"x" * 512)
            os.close(filler)
            within(setup(status=2), "No space left on device")
            equal(contents("/etc/pam.d/sudo"), DEBIAN["sudo"])
            equal(glob.glob("/etc/pam.d/.*.mpin-new"), [])
            os.unlink("/etc/pam.d/.filler")
            within(setup(), "switched on for sudo")
            within(sudo("alice", PIN)[0], "root")
        finally:
            run("umount", "/etc/pam.d")


def killed_at(calls, number, *command):
    """Runs a command and kills it at the Nth of these system calls on the stacks; whether it was killed."""
    names = [name for service in SERVICES for name in (service, f".{service}.mpin-new")]
    places = [word for name in ["", *names] for word in ("-P", f"/etc/pam.d/{name}".rstrip("/"))]
    reading, writing = os.pipe()
    os.write(writing, f"{PIN}\n".encode())
    os.close(writing)
    done = subprocess.run(
        ["strace", "-qq", "-o", "/dev/null", *places, "-e", f"trace={calls}", "-e",
         f"inject={calls}:signal=KILL:when={number}", *command, "--pin-fd", str(reading)], pass_fds=[reading],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
    os.close(reading)
    assert done.returncode in (0, -9, 137), done.returncode
    return done.returncode != 0


def test_killed():
    """killed at any step, setup and undo leave each stack old or new, and another run completes them"""
    on = ["mpin", "setup", "--yes", "--service", "sudo", "--service", "login"]
    off = ["mpin", "setup", "--undo"]
    with fresh():
        enrolled("--service", "sudo", "--service", "login")
        new = stacks()
        both(off, 0, None)
        for command, after, back in (on, new, off), (off, DEBIAN, on):
            mixed = kills = 0
            for calls in "write", "fsync", "rename,renameat,renameat2":
                number = 1
                while killed_at(calls, number, *command):
                    now = stacks()
                    for name, text in now.items():
                        assert text in (DEBIAN[name], new[name]), f"{name} is neither old nor new"
                    mixed += now not in (DEBIAN, new)
                    both(command, 0, {"--pin-fd": PIN + "\n"})
                    equal(stacks(), after, f"killed at {calls} {number}")
                    equal(glob.glob("/etc/pam.d/.*.mpin-new"), [])
                    both(back, 0, {"--pin-fd": PIN + "\n"})
                    kills, number = kills + 1, number + 1
                equal(stacks(), after, f"not killed at {calls} {number}")
                both(back, 0, {"--pin-fd": PIN + "\n"})
            assert kills == 12 and mixed == 8, f"{kills} kills, {mixed} of them with stacks of both kinds"
            both(command, 0, {"--pin-fd": PIN + "\n"})
        equal(os.path.exists("/run/mpin-setup"), False)


def test_second_setup():
    """setup for another user keeps factor and policy; options change them"""
    with fresh():
        setup("--user", f"alice={IDENTITY}", "--factor", "second", "--unenrolled", "deny",
              "--no-way-back", pin=f"{PIN}\nunix-alice")
        before = stacks(), contents(CONF)
        setup("--user", f"bob=bob@{HOST}", "--no-way-back", pin="Plover-3310")
        equal((stacks(), contents(CONF)), before)
        within(contents(CONF), "unenrolled = deny")
        setup("--unenrolled", "password", pin=f"{PIN}\nunix-alice")
        equal(stacks(), before[0])
        within(contents(CONF), "unenrolled = ignore")


def test_unproved_settings():
    """settings with which no user can log in never replace the present ones"""
    with fresh():
        enrolled()
        before = stacks(), contents(CONF)
        elsewhere = "--backend", "unix:/run/mpind/nobody.sock", "--service", "sudo"
        said = both(["mpin", "setup", "--yes", *elsewhere], 3, {"--pin-fd": PIN + "\n"})
        within(said, "cannot be reached", "Nothing was switched on")
        equal((stacks(), contents(CONF)), before)
        equal(sudo("alice", PIN)[1], 0)


def test_kept_settings():
    """setup keeps what the administrator wrote into mpin.conf, and the sections of all live stacks"""
    with fresh():
        enrolled("--service", "sudo", "--service", "su")
        own = contents(CONF).replace("[su]\n", "[su]\ntries = 2\n# until May\n")
        own = own.replace("backup-codes = sudo login\n", "backup-codes = login sudo su\n")
        write(CONF, f"# ours\nhelp = Call 1234\n{own}\n[cockpit]\ntries = 1\n")
        before = contents(CONF)
        said = setup("--service", "login", pin=PIN)
        within(said, "+[login]")
        assert "-help" not in said and "+help" not in said, said
        added = "\n[login]\n# People without a PIN here are asked for the password.\nunenrolled = ignore\n"
        equal(contents(CONF), before + added)
        within(sudo("bob", "unix-bob")[0], "password for bob", "root")
        lost = contents(CONF).replace("[su]\n", "[su-by-mistake]\n")
        with replaced(CONF, lost):
            found = Told().about("section-missing")
            within(found[0]["message"], "'su'", "[su]")
            within(found[0]["advice"], "mpin setup --service su")
            setup("--service", "su", pin=PIN)
            equal(Told().about("section-missing"), [])
            within(contents(CONF), "[su-by-mistake]", "\n[su]\n", "help = Call 1234")
