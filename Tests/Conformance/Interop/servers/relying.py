# SPDX-License-Identifier: Apache-2.0
# A relying party application beside mpind: it decides about registrations, permits and logins.
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from support.wire import Wire
from urllib.parse import parse_qs, urlsplit


LOGOUT = {"sessionToken": "of the application", "more": [1, None]}

VERDICTS = {"forced": (200, {"forceActivate": True}), "refused": (403, b""), "broken": (502, b""),
            "junk": (200, b"<html>")}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.answers()

    def do_POST(self):
        self.answers()

    def answers(self):
        url = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        status, said = self.server.party.answer(url.path, parse_qs(url.query), body, self.headers)
        octets = said if isinstance(said, bytes) else json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(octets)))
        self.end_headers()
        self.wfile.write(octets)

    def log_message(self, *_):
        pass


class RelyingParty:
    """The user's name selects the answer to a registration, see VERDICTS; `later` is activated when the
    registration is repeated; other users wait for verification."""

    def __init__(self, rps):
        """`rps` is the address of mpind's listener for the application."""
        self.rps, self.asked, self.denied, self.refusal = Wire(rps), {}, set(), None
        self.junk, self.logout_url, self.ended, self.logins = False, "/bye", [], []
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.party = self
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def settings(self):
        return {"rpa_verify_url": f"{self.url}/mpinVerify", "rpa_permit_url": f"{self.url}/mpinPermitUser",
                "authenticate_url": f"{self.url}/mpinAuthenticate", "logout_url": "/logout",
                "wait_for_login_result": "yes", "register_forward_headers": "X-Of-App"}

    def answer(self, path, query, body, headers):
        if path == "/mpinVerify":
            said = json.loads(body)
            self.asked[said["userId"]] = said, headers
            verdicts = VERDICTS | ({"later": VERDICTS["forced"]} if said["resend"] else {})
            done = (done for name, done in verdicts.items() if said["userId"].startswith(name))
            return next(done, (200, b""))
        if path == "/mpinPermitUser":
            user = json.loads(bytes.fromhex(query["mpin_id"][0]))["userID"]
            return (410 if user in self.denied else 200), b""
        if path == "/control":
            return self.controlled(**json.loads(body))
        if path == "/bye":
            self.ended.append(json.loads(body))
            return 200, b""
        self.logins.append(headers["X-Of-App"])
        said = self.login(json.loads(body)["mpinResponse"]["authOTT"])
        return (said[0], b"welcome") if self.junk else said

    def controlled(self, activate=None, deny=None, refuse=None, junk=None, endsHere=False):
        """Changes what this application does, for a flow of the library, and returns the requests that it has
        got."""
        if activate:
            wish = self.asked[activate][0]
            self.activate(wish["mpinId"], wish["activateKey"])
        if deny:
            self.denied.add(deny)
        if refuse:
            self.refusal = refuse if refuse != 200 else None
        if junk is not None:
            self.junk = junk
        self.logout_url = f"{self.url}/bye" if endsHere else "/bye"
        registrations = {user: {"header": headers["X-Of-App"], **said}
                         for user, (said, headers) in self.asked.items()}
        return 200, {"registrations": registrations, "logins": self.logins, "ended": self.ended}

    def login(self, auth_ott):
        """Redeems a login, and returns the result; `refusal` makes the application refuse every login."""
        asked = {"authOTT": auth_ott, "logoutURL": self.logout_url, "logoutData": LOGOUT}
        said = self.rps.post("/authenticate", asked)
        if said.status != 200:
            return said.status, said.json
        result = {"authOTT": auth_ott, "status": self.refusal or 200, "message": "said the application"}
        done = self.rps.post("/loginResult", result)
        otp = {"otp": said.json["OTP"]} if "OTP" in said.json else {}
        return (self.refusal or done.status), {"user": said.json["userId"], **otp}

    def activate(self, mpin_id, key):
        return self.rps.post(f"/user/{mpin_id}", {"activateKey": key})

    def close(self):
        self.server.shutdown()
        self.server.server_close()
