# SPDX-License-Identifier: Apache-2.0
# A page in a real browser that logs in the user whom an app of the library approves, as Milagro's PIN pad
# does.
import contextlib

from house import MPIND_CONF, PUBLIC
from library import App
from phone import NAME, Phone, world
from proxy import Front
from support import equal

ASK = """
const [path, body] = arguments;
const headers = {'Content-Type': 'application/json'};
fetch(path, {method: 'POST', headers, body: JSON.stringify(body)})
  .then(async (answer) => done([answer.status, await answer.json()]));"""


@contextlib.contextmanager
def for_browsers():
    with open(MPIND_CONF) as file:
        conf = file.read()
    world().restart(conf + "profile = compat\n")
    try:
        yield
    finally:
        world().restart(conf)


def test_browser():
    """a page shows its code, an app of the library approves it, and the browser is logged in once"""
    world()
    with open("/etc/hosts", "a") as hosts:
        hosts.write(f"127.0.0.1 {NAME}\n")
    with for_browsers(), Front(PUBLIC, name=NAME, port=443) as server, \
            App(server, "paula@example.org") as app, Phone("browser", "409|408", by=server) as page:
        page.open()

        def ask(path, **body):
            return page.browser.result(ASK, path, body)
        status, opened = ask("/rps/getQrUrl", prerollid=app.identity)
        equal(status, 200)
        equal(app.approves(opened["qrUrl"].split("#")[1]), [f"asked by browser on {NAME}", "approved"])
        status, said = ask("/rps/access", webOTT=opened["webOTT"])
        equal((status, said["status"], said["userId"]), (200, "authenticate", app.identity))
        redeemed = {"mpinResponse": {"authOTT": said["authOTT"]}}
        equal([ask("/mpinAuthenticate", **redeemed)[0] for _ in range(2)], [200, 408])
