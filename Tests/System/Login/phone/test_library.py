# SPDX-License-Identifier: Apache-2.0
# The library as a user meets it: an app beside a real console.
from house import run
from library import App
from phones import front, phone_settings, phones, sudo
from support import equal


def test_console():
    """an app of the library shows details of the login, and its code lets sudo in, by address and by
    number"""
    phones()
    user = phones().account("lena")
    for name in "wid", "number":
        with front() as server, phone_settings(), App(server, f"lena-{name}@example.org") as app:
            run("mpin", "allow", user, app.id, "--way", "phone", "--label", app.identity)
            login = sudo(user)
            asker, said = app.approves(getattr(login, name))
            equal(asker, "asked by sudo on sandbox")
            word, code = said.split()
            equal(word, "code")
            equal(login.types(code).ends(), ("root", 0))
