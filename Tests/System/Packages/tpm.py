# SPDX-License-Identifier: Apache-2.0
# A disk with a server whose secrets a TPM has sealed: in its machine, in another one, and back.
import base64
import glob
import os

from machine import apt, different, tree
import host
from host import contents, equal, run, within
from served import ask, journal

STORE = "/etc/credstore.encrypted"
FOLDERS = {"server": "/var/lib/mpind", "authority": "/var/lib/mpind-ta"}
UNITS = "mpind.service", "mpind-authority.service"


def key(path):
    """The kind of key that seals a credential: its first 16 octets identify it."""
    return base64.b64decode(contents(path))[:16]


def there():
    """systemd finds a TPM that it can use, and authority and server are made with it"""
    within(run("systemd-creds", "has-tpm2"), "yes", "+firmware", "+driver", "+system")
    apt("install", *glob.glob("/debs/now/mpin-server_*.deb"))
    run("mpind", "init")
    run("systemctl", "enable", "--now", "mpind")
    equal(ask(), "200")


def sealed():
    """`mpind init` lets systemd seal both secret files, with this machine's key and its TPM"""
    for way in "host", "host+tpm2":
        run("systemd-creds", "encrypt", f"--with-key={way}", "/etc/hostname", f"/run/{way}")
    assert key("/run/host") != key("/run/host+tpm2")
    for name, folder in FOLDERS.items():
        equal(contents(f"{folder}/{name}"), f"mpin-{name} = 1\nsealed = systemd\n")
        equal(key(f"{STORE}/mpind.{name}"), key("/run/host+tpm2"))


def wanted():
    """root can open them with the TPM, and not without it"""
    for name in FOLDERS:
        opening = f"systemd-creds decrypt --name=mpind.{name} {STORE}/mpind.{name} -"
        said = run("unshare", "--mount", "sh", "-c", f"mount -t tmpfs none /dev && {opening}", status=1)
        assert "sealed" not in said, said
        # The copy that the manual recommends.
        within(run("sh", "-c", f"{opening} | tee /root/{name}"), f"mpin-{name} = 1\nsealed = no\n")


def again():
    """the machine boots, and the server answers without further commands"""
    equal(run("systemctl", "is-active", *UNITS).split(), ["active"] * 2)
    equal(ask(), "200")


def refused():
    """A request to the server is refused, and does not wait."""
    try:
        answer = ask()
    except TimeoutError:
        raise AssertionError("callers wait without an answer") from None
    except (OSError, IndexError):
        return
    raise AssertionError(f"a server answers: {answer}")


def neither(reason):
    """Neither unit starts or is restarted repeatedly; the journal and the commands say why."""
    run("systemctl", "start", "mpind-authority", status=1)
    for unit in UNITS:
        shown = run("systemctl", "show", "--property=ActiveState,ExecMainStatus,NRestarts", unit)
        equal((unit, sorted(shown.split())),
              (unit, ["ActiveState=failed", "ExecMainStatus=243", "NRestarts=0"]))
        within("\n".join(journal(unit=unit)), "Failed to set up credentials")
    # It ends so soon after the message that the journal may not know the message's unit.
    within(run("journalctl", "--boot", "--output=cat", "--no-pager"), reason)
    refused()
    before = tree(STORE, *FOLDERS.values())
    for command in "unseal", "seal":
        within(run("mpind", command, status=2), reason, "systemd-creds decrypt failed")
    equal(different(before, tree(STORE, *FOLDERS.values())), [])


def elsewhere():
    """in a machine with another TPM neither unit starts, callers are refused, the journal, `mpind unseal` and
    `mpind seal` say why, and nothing is changed"""
    neither("Failed to load HMAC key in TPM")


def switched():
    """the same happens after Secure Boot was switched on"""
    neither("Current policy digest does not match stored policy digest")


def moved():
    """in the other machine the copies of both files, sealed again as mpind(8) says, give the same server"""
    for name, owner in ("server", "_mpind"), ("authority", "_mpind-ta"):
        os.unlink(f"{STORE}/mpind.{name}")
        run("install", "-o", owner, "-g", owner, "-m", "600", f"/root/{name}", f"{FOLDERS[name]}/{name}")
    run("mpind", "seal")
    sealed()
    run("systemctl", "start", "mpind")
    equal(ask(), "200")


# The tests of each boot by the script `tpm`, which chooses the TPM.
BOOTS = {"1": (there, sealed, wanted), "2": (again,), "3": (elsewhere,), "4": (switched,), "5": (again,),
         "6": (moved,)}
host.main(*BOOTS[os.environ["MPIN_BOOT"]])
