# SPDX-License-Identifier: Apache-2.0
# Users after the first login: one is added, one is locked, suspended and revoked; what they see at sudo, and
# what the administrator sees.
from host import PASSWORDS, PIN, equal
from screens import Screens, hidden

BOBS, BOBS_NEXT = "Plover-3310", "Curlew-8842"
OF_ALICE, OF_BOB = "PIN for alice@debian: ", "PIN for bob@debian: "
SUDO = "sudo -k id -un"


def enrolled(screens, pin):
    """Gives bob a PIN, with the command that `mpin setup` names at its end."""
    screens.types("mpin enroll bob --here", hidden("New PIN for bob: ", pin),
                  hidden("The same PIN again: ", pin))


def lets_in(screens, user, prompt, pin):
    said = screens.types(SUDO, hidden(prompt, pin), user=user)
    equal(said.splitlines()[-1], "root")


def keeps_out(screens, user, prompt, pin):
    """Types the right PIN, which is refused, and gives up at the next prompt."""
    screens.types(SUDO, hidden(prompt, pin), user=user, leaves=prompt)


def shows(screens, name):
    """Shows the state of users, in short and in full."""
    screens.types("mpind user list")
    screens.types(f"mpind user show {name}")


def colleague():
    """`mpin enroll bob --here` gives a second user a PIN, with which sudo lets bob in"""
    with Screens("people-enroll") as screens:
        enrolled(screens, BOBS)
        lets_in(screens, "bob", OF_BOB, BOBS)


def known():
    """`mpind user list` and `show` show the users, and when and from where they last logged in"""
    with Screens("people-list") as screens:
        shows(screens, "alice@debian")


def locked():
    """three wrong PINs lock: alice is told at each, then the right one is refused too; others can still log
    in"""
    with Screens("people-locked") as screens:
        wrong = [hidden(OF_ALICE, f"Kestrel-{digits}") for digits in ("0001", "0002", "0003")]
        screens.types(SUDO, *wrong, user="alice", status=1)
        keeps_out(screens, "alice", OF_ALICE, PIN)
        shows(screens, "alice@debian")
        screens.types(SUDO, hidden("password for carol: ", PASSWORDS["carol"]), user="carol")


def unlocked():
    """`mpind user unlock` lets alice in at once; a second one is refused"""
    with Screens("people-unlocked") as screens:
        screens.types("mpind user unlock alice@debian")
        lets_in(screens, "alice", OF_ALICE, PIN)
        screens.types("mpind user unlock alice@debian", status=1)


def suspended():
    """`mpind user suspend` keeps bob out, who is told; the list and `show` say since when and why"""
    with Screens("people-suspended") as screens:
        screens.types("mpind user suspend bob@debian --reason 'on leave'")
        keeps_out(screens, "bob", OF_BOB, BOBS)
        shows(screens, "bob@debian")
        screens.types("mpind user unlock bob@debian", status=1)


def resumed():
    """`mpind user resume` lets bob in again with the same PIN; a second one is refused"""
    with Screens("people-resumed") as screens:
        screens.types("mpind user resume bob@debian")
        lets_in(screens, "bob", OF_BOB, BOBS)
        screens.types("mpind user resume bob@debian", status=1)


def revoked():
    """`mpind user revoke` keeps bob out; unlocking, suspending and resuming are refused, with the reason"""
    with Screens("people-revoked") as screens:
        screens.types("mpind user revoke bob@debian")
        keeps_out(screens, "bob", OF_BOB, BOBS)
        shows(screens, "bob@debian")
        for word in "unlock", "suspend", "resume":
            screens.types(f"mpind user {word} bob@debian", status=1)


def anew():
    """a revoked user can log in again after a new enrolment, and the list keeps the old registration"""
    with Screens("people-anew") as screens:
        enrolled(screens, BOBS_NEXT)
        lets_in(screens, "bob", OF_BOB, BOBS_NEXT)
        screens.types("mpind user list")
