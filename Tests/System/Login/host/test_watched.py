# SPDX-License-Identifier: Apache-2.0
# `mpin doctor` watches what `mpin setup` switched on: upgrades and people may take its rule away.
import contextlib
import os
import shutil
import subprocess
import tempfile

from doctor import Told
from house import run
from support import CHECKOUT, absent, equal, replaced, within
from test_setup import (DEBIAN, DROP_IN, PIN, STORE, both, contents, enrolled, fresh, setup, stacks, sudo,
                        write)

INFO = "/var/lib/dpkg/info"


def gone():
    """The services of which doctor says that their rule is gone."""
    told = Told()
    found = told.about("rule-gone")
    equal(bool(found) and told.status, 1 if found else False)
    for finding in found:
        equal(finding["level"], "problem")
        within(finding["advice"], "mpin setup --service", "mpin setup --undo --service")
    return sorted(finding["message"].split()[3] for finding in found)


@contextlib.contextmanager
def next_version(package, path):
    """A package made of the files that are installed, with one line more in a configuration file."""
    with tempfile.TemporaryDirectory() as folder:
        tree, meta = f"{folder}/tree", f"{folder}/tree/DEBIAN"
        os.makedirs(meta)
        files = [name for name in run("dpkg-query", "-L", package).splitlines() if not os.path.isdir(name)]
        run("sh", "-c", 'tar -C / -c -T - | tar -C "$1" -x', "sh", tree, input="\n".join(files))
        write(tree + path, DEBIAN[os.path.basename(path)] + "# new in this version\n")
        fields = run("dpkg-query", "-s", package).split("\nConffiles:")[0].splitlines()
        rest = [line for line in fields if not line.startswith(("Status:", "Version:"))]
        write(f"{meta}/control", "\n".join([*rest, "Version: 99", ""]))
        for script in "conffiles", "preinst", "postinst", "prerm", "postrm":
            if os.path.exists(f"{INFO}/{package}.{script}"):
                shutil.copy(f"{INFO}/{package}.{script}", f"{meta}/{script}")
        run("dpkg-deb", "-Znone", "--build", tree, f"{folder}/next.deb")
        yield f"{folder}/next.deb"


def upgraded(file, *options):
    """The upgrade that unattended-upgrades makes: nobody answers."""
    subprocess.run(["dpkg", *options, "--force-depends", "-i", file], stdin=subprocess.DEVNULL, check=True,
                   capture_output=True, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})


def test_upgrade():
    """an upgrade that restores Debian's file of sudo is a problem for `mpin doctor`, and setup mends it"""
    with fresh(), next_version("sudo", "/etc/pam.d/sudo") as package:
        enrolled()
        equal(gone(), [])
        upgraded(package, "--force-confold")
        equal(gone(), [])
        run("sh", "-c", "sed -i 's/^Version: 99$/Version: 98/' /var/lib/dpkg/status")
        upgraded(package, "--force-confnew", "--force-confask")
        absent(contents("/etc/pam.d/sudo"), "pam_mpin")
        equal(sudo("alice", "unix-alice")[1], 0)
        within(Told().about("rule-gone")[0]["message"],
               "mpin setup switched sudo on; its rule is gone: /etc/pam.d/sudo does not ask M-Pin")
        lines = subprocess.run(["mpin", "doctor", "--problems"], capture_output=True, text=True)
        within(lines.stdout, "problem: mpin setup switched sudo on; its rule is gone")
        absent(lines.stdout, "in order", "note:", "warning:")
        equal(lines.returncode, 1)
        equal(gone(), ["sudo", "sudo-i"])
        setup("--service", "sudo")
        equal(gone(), [])
        equal(sudo("alice", PIN)[1], 0)


def test_files_changed():
    """a file that is removed, replaced by a link, replaced alone, or whose rule is a comment is named; a
    change that keeps the rule is not"""
    with fresh():
        enrolled("--service", "sudo", "--service", "login")
        on = stacks()
        for name in "sudo", "sudo-i", "login":
            write(f"/etc/pam.d/{name}", DEBIAN[name])
            equal(gone(), [name])
            write(f"/etc/pam.d/{name}", on[name])
        write("/etc/pam.d/sudo", on["sudo"].replace("\nauth [", "\n#auth ["))
        equal(gone(), ["sudo"])
        os.unlink("/etc/pam.d/sudo")
        equal(gone(), ["sudo"])
        write("/etc/site-sudo", DEBIAN["sudo"])
        os.symlink("/etc/site-sudo", "/etc/pam.d/sudo")
        equal(gone(), ["sudo"])
        write("/etc/site-sudo", on["sudo"])
        equal(gone(), [])
        os.unlink("/etc/pam.d/sudo")
        write("/etc/pam.d/sudo", "# ours\n" + on["sudo"])
        equal(gone(), [])


def test_includes():
    """a service that included a changed file is named when it no longer does, and one file for all services
    when it is written anew"""
    with fresh(), replaced("/etc/pam.d/su-l", contents("/etc/pam.d/su-l")):
        enrolled("--service", "su")
        equal(gone(), [])
        write("/etc/pam.d/su-l", DEBIAN["su"])
        equal(gone(), ["su-l"])
        both(["mpin", "setup", "--undo", "--service", "su"], 0, None)
        equal(gone(), ["su-l"])
        both(["mpin", "setup", "--undo", "--service", "su-l"], 0, None)
        equal(gone(), [])
    common = contents("/etc/pam.d/common-auth")
    with fresh(), replaced("/etc/pam.d/common-auth", common):
        enrolled("--service", "common-auth")
        write("/etc/pam.d/su", "auth required pam_unix.so\naccount required pam_unix.so\n")
        equal(gone(), ["su", "su-l"])
        run("env", "DEBIAN_FRONTEND=noninteractive", "pam-auth-update", "--force", "--package")
        within(gone(), "common-auth", "login", "su", "sudo")


def test_profile():
    """the profile of pam-auth-update is missed when somebody writes common-auth anew, and not when it is
    removed"""
    paths = "/etc/pam.d/common-auth", "/var/lib/pam/auth"
    profile = "/usr/share/pam-configs/mpin"
    with contextlib.ExitStack() as stack:
        stack.enter_context(fresh())
        kept = [stack.enter_context(replaced(path, contents(path))) for path in paths]
        equal(len(kept), 2)
        stack.enter_context(replaced(profile, contents(f"{CHECKOUT}/packaging/debian/profiles/mpin")))
        update = "env", "DEBIAN_FRONTEND=noninteractive", "pam-auth-update", "--force"
        before = contents(paths[0])
        run(*update, "--enable", "mpin")
        within(contents(paths[0]), "pam_mpin.so")
        absent(gone_sentences(), "pam-auth-update")
        write(paths[0], before)
        within(gone_sentences(),
               "pam-auth-update switched M-Pin on; its rule is gone from /etc/pam.d/common-auth")
        run(*update, "--remove", "mpin")
        absent(gone_sentences(), "pam-auth-update")


def gone_sentences():
    return " ".join(finding["message"] for finding in Told().about("rule-gone"))


def test_settings_of_sshd():
    """sshd's drop-in is missed when it is gone, unless its settings stand elsewhere"""
    with fresh():
        os.makedirs("/run/sshd", mode=0o755, exist_ok=True)
        run("ssh-keygen", "-A")
        enrolled("--service", "sshd", "--shut-out")
        equal(gone(), [])
        kept = contents(DROP_IN)
        os.unlink(DROP_IN)
        within(Told().about("rule-gone")[0]["message"], "sshd", "its settings are gone")
        elsewhere = DROP_IN.replace("mpin.conf", "ours.conf")
        write(elsewhere, kept)
        try:
            equal(gone(), [])
        finally:
            os.unlink(elsewhere)
        equal(gone(), ["sshd"])
        setup("--service", "sshd", "--shut-out")
        equal(gone(), [])


def test_undone():
    """what is undone is watched no longer, and an undo ends the watch over a rule that is gone already"""
    with fresh():
        enrolled("--service", "sudo", "--service", "login")
        write("/etc/pam.d/login", contents("/etc/pam.d/login") + "# ours\n")
        both(["mpin", "setup", "--undo", "--service", "login"], 0, None)
        equal(gone(), [])
        write("/etc/pam.d/sudo", DEBIAN["sudo"])
        equal(gone(), ["sudo"])
        said = both(["mpin", "setup", "--undo", "--service", "sudo"], 0, None)
        within(said, "sudo: its rule was gone already", "/etc/pam.d/sudo-i is as it was")
        equal(gone(), [])
        assert not os.path.exists(f"{STORE}/before")
