# SPDX-License-Identifier: Apache-2.0
# A relying party application for the daemon's tests: the user's name selects its answer, and it logs all
# requests.
import http.server
import json
import sys
import time


class Application(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with open(sys.argv[2], "a", encoding="utf-8") as log:
            print(json.dumps({"headers": dict(self.headers), "body": body}), file=log)
        name = body["userId"]
        if name == "slow":
            # Until this program is ended.
            time.sleep(600)
        if name == "moved":
            self.send_response(302)
            self.send_header("Location", "/mpinVerify")
            return self.end_headers()
        if name == "long":
            return self.answer(200, " " * 100_000)
        status = {"stranger": 403, "broken": 503}.get(name, 200)
        self.answer(status, json.dumps({"forceActivate": name == "known"}) if status == 200 else "")

    def do_GET(self):
        self.answer(200, "")

    def answer(self, status, text):
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Application).serve_forever()
