# SPDX-License-Identifier: Apache-2.0
# A browser for the page's tests: headless Chromium by WebDriver, with the part of the protocol that they
# need.
import base64
import subprocess
import time

from support.wire import Wire

SIZES = {"phone": (390, 844, True), "desktop": (1280, 800, False)}


class Driver:
    """One chromedriver; each browser has a separate profile."""

    def __init__(self, log, prefix=()):
        self.process = subprocess.Popen(
            [*prefix, "chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=open(log, "wb"), text=True)
        for line in self.process.stdout:
            if "started successfully on port" in line:
                port = line.split("port")[1].strip().rstrip(".")
                self.wire = Wire(f"127.0.0.1:{port}", timeout=60)
                return
        raise RuntimeError("chromedriver did not start")

    def call(self, method, path, body=None):
        answer = self.wire.call(method, path, body)
        if answer.status != 200:
            raise RuntimeError(answer.json["value"]["message"])
        return answer.json["value"]

    def end(self):
        self.process.terminate()
        self.process.wait(60)


class Browser:
    """A profile is a folder that outlives its browser: the next one continues with its storage."""

    def __init__(self, driver, profile, arguments, language="en"):
        self.driver = driver
        options = {"args": [
            "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--disable-features=OptimizationHints,MediaRouter,Translate",
            f"--user-data-dir={profile}", f"--lang={language}", f"--accept-lang={language}", *arguments]}
        wanted = {
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"},
            "unhandledPromptBehavior": "dismiss"}
        made = driver.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.path = f"/session/{made['sessionId']}"
        self.messages = []
        self.size("phone")

    def command(self, method, path, body=None):
        return self.driver.call(method, self.path + path, body)

    def devtools(self, command, **parameters):
        return self.command("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def size(self, name):
        width, height, touch = SIZES[name]
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height,
                      deviceScaleFactor=2 if touch else 1, mobile=touch)

    def scheme(self, name):
        self.devtools("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": name}])

    def open(self, url):
        # A new fragment alone would not load the page again.
        self.command("POST", "/url", {"url": "about:blank"})
        self.command("POST", "/url", {"url": url})

    def value(self, script, *arguments):
        return self.command("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def result(self, script, *arguments):
        """The value that an asynchronous script passes to `done`."""
        return self.command("POST", "/execute/async", {
            "script": "const done = arguments[arguments.length - 1];" + script, "args": list(arguments)})

    def wait(self, what, script, *arguments, seconds=60):
        end = time.monotonic() + seconds
        while True:
            found = self.value(script, *arguments)
            if found:
                return found
            if time.monotonic() > end:
                raise TimeoutError(f"{what}: {self.value('return document.body.innerText')!r} {self.log()}")
            time.sleep(0.03)

    def type(self, selector, text):
        """Types by the keys of a keyboard."""
        element = self.command("POST", "/element", {"using": "css selector", "value": selector})
        name = next(iter(element.values()))
        self.command("POST", f"/element/{name}/value", {"text": text.replace("\n", "\ue007")})

    def keys(self, *texts):
        """Sends keys to the element that has the focus."""
        keys = "".join(texts).replace("\n", "\ue007")
        steps = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.command("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": steps}]})

    def log(self):
        """Everything on the console so far, except messages of the browser's own pages."""
        said = self.command("POST", "/se/log", {"type": "browser"})
        self.messages += [f"{one['level']} {one['message']}" for one in said
                          if not one["message"].startswith("chrome://")]
        return self.messages

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.command("GET", "/screenshot")))

    def end(self):
        self.command("DELETE", "")
