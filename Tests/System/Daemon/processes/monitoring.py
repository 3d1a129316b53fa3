# SPDX-License-Identifier: Apache-2.0
# A server with monitoring, what its /metrics says, and the files for Prometheus and Grafana.
import json
import os
import re
import shutil
import socket
import ssl
import subprocess

from support.wire import Connection, Wire
from two_processes import PATIENCE, ROOT, Server

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "..")
FILES = os.path.join(TOP, "packaging/examples/monitoring")
MONITORING, PUBLIC = "127.0.0.1:18465", "127.0.0.1:18443"
SERIES = re.compile(r"([a-z_]+)(?:\{(.*)\})? (\S+)$")
PAIR = re.compile(r'(\w+)(=~|!~|!=|=)"([^"]*)"')
NAME = re.compile(r"\b(?:mpind|process)_[a-z_]+")


class Monitored(Server):
    """A server with TLS for clients, and its monitoring."""

    def __init__(self, programs):
        super().__init__(
            programs, f"metrics-listen = {MONITORING}", f"listen = {PUBLIC}",
            f"public-url = https://{PUBLIC}", "tls-certificate = /dev/null", "tls-key = /dev/null")
        self.tls = f"{self.home}/tls"
        subprocess.run([self.program, "tls", "self", "127.0.0.1", "--folder", self.tls], check=True,
                       stdout=subprocess.DEVNULL)
        if ROOT:
            for name in "", "server.pem", "server.key":
                shutil.chown(os.path.join(self.tls, name), self.fronts)
        with open(self.conf, encoding="utf-8") as file:
            text = file.read()
        for key, name in ("certificate", "server.pem"), ("key", "server.key"):
            text = text.replace(f"tls-{key} = /dev/null", f"tls-{key} = {self.tls}/{name}")
        with open(self.conf, "w", encoding="utf-8") as file:
            file.write(text)

    monitoring = Wire(MONITORING, timeout=60)

    def monitor(self, path, **more):
        return self.monitoring.get(path, **more)

    def becomes(self, status, line=b""):
        """Waits until /ready has this status and such a line; returns the answer."""
        return self.monitoring.until(
            "/ready", lambda answer: answer.status == status and line in answer.body)

    def handshakes(self):
        """A request over TLS, and a client that speaks no TLS."""
        trust = ssl.create_default_context(cafile=f"{self.tls}/ca.pem")
        trust.check_hostname = False
        connection = Connection(PUBLIC, trust=trust)
        connection.request("GET", "/status", headers={"Host": PUBLIC})
        assert connection.getresponse().status == 200
        connection.close()
        with socket.create_connection(("127.0.0.1", 18443)) as plain:
            plain.sendall(b"GET /status HTTP/1.1\r\n\r\n")
            while plain.recv(100):
                pass


def series(text):
    """Each sample: its name, its labels, its value."""
    for line in text.splitlines():
        if not line.startswith("#"):
            name, labels, value = SERIES.match(line).groups()
            yield name, {key: word for key, _, word in PAIR.findall(labels or "")}, float(value)


def value(text, wanted, **labels):
    """The sum of all samples with that name and these labels."""
    return sum(value for name, said, value in series(text)
               if name == wanted and labels.items() <= said.items())


def metrics():
    """The list of names in the source."""
    with open(os.path.join(TOP, "Sources/Server/MPinServer/Metrics/Metric.swift"), encoding="utf-8") as file:
        return re.findall(r'case \w+ = "(\w+)"', file.read())


def expressions():
    """Every expression of the dashboard, as Grafana would send it for one server."""
    with open(f"{FILES}/dashboard.json", encoding="utf-8") as file:
        panels = json.load(file)["panels"]
    found = [target["expr"] for panel in panels for target in panel.get("targets", [])]
    return [one.replace("$__rate_interval", "1m").replace("$instance", ".*") for one in found]


def alerts():
    with open(f"{FILES}/alerts.yml", encoding="utf-8") as file:
        return file.read()


def promtool(*words, **more):
    """What promtool says about its input; empty if it is content."""
    done = subprocess.run(["promtool", *words], capture_output=True, text=True, check=False, timeout=PATIENCE,
                          **more)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def assert_found(expression, text):
    """Each selector of these expressions selects a series; what Prometheus itself adds is left out."""
    said = list(series(text))
    selectors = re.findall(NAME.pattern + r"(?:\{[^}]*\})?", expression)
    assert len(selectors) > 10
    for selector in selectors:
        name = NAME.match(selector)[0]
        wanted = [pair for pair in PAIR.findall(selector) if pair[0] not in ("job", "instance")]
        assert any(name == other and all(selects(pair, labels) for pair in wanted)
                   for other, labels, _ in said), selector


def selects(pair, labels):
    key, sign, word = pair
    if key not in labels:
        return False
    # No answer needs to have failed, and nothing needs to be wrong.
    if (key, sign) == ("status", "=~"):
        return True
    equal = re.fullmatch(word, labels[key]) if "~" in sign else word == labels[key]
    return bool(equal) == (sign[0] == "=")


# A series that an alert reads, with its values at each minute in trouble and in health.
TROUBLE = {
    'up{job="mpind",instance="a"}': ("0x100", "1x100"),
    'mpind_ready{part="database",instance="a"}': ("0x100", "1x100"),
    'mpind_ready{part="authority",instance="a"}': ("0x100", "1x100"),
    'mpind_requests_total{route="pass2",status="503",instance="a"}': ("0+60x100", "0+1x100"),
    'mpind_requests_total{route="pass2",status="200",instance="a"}': ("0+600x100", "0+600x100"),
    'mpind_request_seconds_bucket{route="pass2",le="0.5",instance="a"}': ("0+1x100", "0+60x100"),
    'mpind_request_seconds_bucket{route="pass2",le="+Inf",instance="a"}': ("0+60x100", "0+60x100"),
    'mpind_request_seconds_bucket{route="pass2",le="1",instance="a"}': ("0+60x100", "0+60x100"),
    'mpind_logins_total{method="pin",verdict="wrong",instance="a"}': ("0+30x100", "0+30x100"),
    'mpind_logins_total{method="pin",verdict="granted",instance="a"}': ("0+20x100", "0+40x100"),
    'mpind_tries_refused_total{counter="source",instance="a"}': ("0+10x100", "0+1x100"),
    'mpind_storage_errors_total{kind="full",instance="a"}': ("0+1x100", "7x100"),
    'mpind_connections_refused_total{reason="over-share",instance="a"}': ("0+90x100", "0+30x100"),
    'mpind_tls_certificate_expiry_seconds{instance="a"}': (f"{13 * 86400}x100", f"{15 * 86400}x100"),
}


def firing(is_trouble, names):
    """A test for promtool: the alerts that fire after ninety minutes are these."""
    which = 0 if is_trouble else 1
    return {
        "interval": "1m",
        "input_series": [{"series": name, "values": pair[which]} for name, pair in TROUBLE.items()],
        "promql_expr_test": [{
            "eval_time": "90m",
            "expr": 'min by (alertname) (ALERTS{alertstate="firing"})',
            "exp_samples": [{"labels": f'{{alertname="{name}"}}', "value": 1} for name in names]}]}
