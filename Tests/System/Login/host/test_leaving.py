# SPDX-License-Identifier: Apache-2.0
# The removal of a package finds every stack that names the module, wherever libpam reads it from.
import contextlib
import glob
import os
import shutil

from house import STORE, run
from support import equal, within
from test_closed import RULE, files
from test_setup import BEGIN, DEBIAN, END, both, contents, enrolled, fresh, write

LEAVE = "/usr/libexec/pam_mpin/leave-stacks"
OURS = "auth required pam_mpin.so\n"
A = "/etc/pam.d/a"


@contextlib.contextmanager
def bare():
    """A host on which no stack names the module."""
    with fresh():
        ours = [path for path in glob.glob("/etc/pam.d/*") if "pam_mpin.so" in contents(path)]
        for path in ours:
            os.rename(path, f"/etc/{os.path.basename(path)}.kept")
        os.makedirs("/opt/stacks")
        try:
            equal(run(LEAVE, "--list").strip(), "")
            yield
        finally:
            shutil.rmtree("/opt/stacks")
            for path in ours:
                os.rename(f"/etc/{os.path.basename(path)}.kept", path)


def left(status=0):
    """Runs the script as the removal of libpam-mpin does: what it prints."""
    return both([LEAVE, "libpam-mpin"], status, None)


def test_every_stack():
    """a package is not removed while a stack needs the module, however libpam comes to its line"""
    with bare():
        for named, texts in (
            ("/opt/stacks/two", {A: "@include /opt/stacks/one\n", "/opt/stacks/two": OURS,
                                 "/opt/stacks/one": "auth include /opt/stacks/two\n"}),
            ("/opt/stacks/x", {A: "@INCLUDE /opt/stacks/x\n", "/opt/stacks/x": OURS}),
            ("/opt/stacks/x", {A: "Auth SubStack /opt/stacks/x\n", "/opt/stacks/x": OURS}),
            ("/opt/stacks/x", {A: "-@include ../../opt/stacks/x\n", "/opt/stacks/x": OURS}),
            ("../security/x", {A: "auth \\\n# no\n  include ../security/x # no\n", "/etc/security/x": OURS}),
            ("/usr/lib/pam.d/vendor", {"/usr/lib/pam.d/vendor": OURS}),
            ("/etc/pam.d/.hidden", {A: "@include .hidden\n", "/etc/pam.d/.hidden": OURS}),
            ("/etc/pam.d/with blank", {"/etc/pam.d/with blank": OURS}),
            (A, {A: "auth [success=ok \\\n default=bad] \\\n pam_mpin.so\n"}),
        ):
            with files(texts):
                within(left(status=1), named, "is not removed")
                equal({path: contents(path) for path in texts}, texts)
        # These are no rules of a stack.
        with files({"/etc/pam.d/.sudo.mpin-new": OURS, "/etc/pam.d/a.dpkg-old": OURS, A: "#" + OURS,
                    "/etc/pam.d/b": "auth optional pam_env.so#pam_mpin.so\n@include /opt/stacks/b\n",
                    "/opt/stacks/b": "@include b\n@include nowhere\n"}):
            left()


def test_lines_within_marks():
    """a removal keeps what an administrator wrote between the marks, and refuses where another rule would be
    skipped"""
    wheel = "auth requisite pam_wheel.so\n"
    jump = "auth [success=1 default=ignore] pam_succeed_if.so user = bob\n"
    with bare():
        enrolled("--service", "su")
        on = contents("/etc/pam.d/su")
        for text in (on.replace(RULE, jump + RULE), on.replace(BEGIN, jump + BEGIN),
                     on.replace(RULE, "auth \\\n" + RULE), on.replace(END + "\n", "")):
            write("/etc/pam.d/su", text)
            within(left(status=1), "/etc/pam.d/su")
            equal(contents("/etc/pam.d/su"), text)
        write("/etc/pam.d/su", on.replace(RULE, f"# for ops\n{wheel}{RULE}"))
        assert os.path.exists(f"{STORE}/before/su")
        within(left(), "M-Pin is switched off in: su.")
        assert not os.path.exists(f"{STORE}/before"), "doctor watches over what was switched off"
        place = "@include common-auth"
        equal(contents("/etc/pam.d/su"), DEBIAN["su"].replace(place, f"# for ops\n{wheel}{place}"))
