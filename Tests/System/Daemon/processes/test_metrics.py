# SPDX-License-Identifier: Apache-2.0
# The listener for monitoring of a real server, after logins: what it says, what it never says, and whether
# Prometheus and the dashboard find what they ask for.
import glob
import json
import os
import re
import socket
import time

import pytest

from monitoring import (FILES, MONITORING, Monitored, alerts, assert_found, expressions, firing, metrics,
                        promtool, series, value)
from support.milagro import Client, good
from support.wire import Wire
from two_processes import PATIENCE

ALICE, BOB, HOST = "alice.liddell@wonderland.example", "bob.the.builder@site.example", "prod-db1"
GRANTED, WRONG = 3, 4


@pytest.fixture(scope="module")
def server(programs):
    """Both processes."""
    server = Monitored(programs)
    server.authority.start()
    server.front.start()
    yield server
    server.close()


@pytest.fixture(scope="module")
def alice(server):
    """A user who has logged in, with right PINs and with so many wrong ones that a lock refuses the last."""
    alice = Client(server.wire(), ALICE).register("1234", activateCode=server.code(ALICE))
    for _ in range(GRANTED):
        good(alice.log_in("1234"))
    for _ in range(WRONG):
        assert alice.log_in("4321").status in (401, 403)
    return alice


@pytest.fixture(scope="module")
def text(server, alice):
    """What /metrics says after the logins, and after requests that try to put words into it."""
    Client(server.wire(), BOB).register("9876", activateCode=server.code(BOB))
    server.run("host", "add", HOST)
    server.run("user", "revoke", BOB)
    server.wire().get(f"/rps/{HOST}/{ALICE}?user={ALICE}", headers={"User-Agent": ALICE})
    Wire(f"unix:{server.home}/run/admin.sock").get(f"/v1/{HOST}")
    server.monitor(f"/{HOST}/{ALICE}")
    server.handshakes()
    answer = good(server.monitor("/metrics"))
    assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    return answer.body.decode("ascii")


def test_counts(text):
    """the counters are those of the logins that there were"""
    assert value(text, "mpind_logins_total", method="pin", verdict="granted") == GRANTED
    assert value(text, "mpind_logins_total", method="pin", verdict="wrong") == 2
    assert value(text, "mpind_logins_total", method="pin", verdict="locked") == 2
    assert value(text, "mpind_logins_total") == GRANTED + WRONG
    assert value(text, "mpind_verifications_total") == GRANTED + WRONG
    assert value(text, "mpind_tries_refused_total", counter="source") == 1
    assert value(text, "mpind_requests_total", route="pass2", status="200") == GRANTED + WRONG
    assert value(text, "mpind_request_seconds_count", route="pass2") == GRANTED + WRONG
    assert value(text, "mpind_requests_total", route="none", status="404") == 3
    assert value(text, "mpind_storage_seconds_count", access="durable") > GRANTED + WRONG
    assert value(text, "mpind_authority_seconds_count", command="clientSecret") == 4
    assert value(text, "mpind_tls_handshakes_total", result="completed") == 1
    assert value(text, "mpind_tls_handshakes_total", result="failed") == 1
    assert value(text, "mpind_connections_refused_total", reason="handshake") == 1
    assert value(text, "mpind_connections", listener="metrics") >= 1
    assert value(text, "mpind_database_connections") == 2
    assert abs(value(text, "mpind_database_clock_offset_seconds")) < 1
    assert value(text, "mpind_tls_certificate_expiry_seconds") > time.time()
    assert value(text, "mpind_ready") == 4


def test_process(server, text):
    """the metrics of the process are those of the kernel"""
    pid = server.front.running.pid
    assert abs(value(text, "process_open_fds") - len(os.listdir(f"/proc/{pid}/fd"))) < 5
    assert abs(value(text, "process_threads") - len(os.listdir(f"/proc/{pid}/task"))) < 20
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        pages = int(file.read().split()[1])
    resident = pages * os.sysconf("SC_PAGESIZE")
    assert 0.5 < value(text, "process_resident_memory_bytes") / resident < 2
    assert value(text, "process_virtual_memory_bytes") > resident
    assert 0 < value(text, "process_cpu_seconds_total") < 60
    assert 0 < time.time() - value(text, "process_start_time_seconds") < 600
    assert value(text, "process_max_fds") >= 1024


def test_names(text):
    """every metric of the list has a help, a type and a value, and there is no other"""
    names = metrics()
    assert len(names) > 20
    assert re.findall(r"^# HELP (\w+) \S", text, re.M) == names
    assert re.findall(r"^# TYPE (\w+) (?:counter|gauge|histogram)$", text, re.M) == names
    said = {re.sub(r"_(bucket|sum|count)$", "", name) for name, _, _ in series(text)}
    assert said == set(names)


def test_promtool(text):
    """promtool finds no fault in the text"""
    assert promtool("check", "metrics", input=text) == ""
    assert promtool("check", "metrics", input=text.replace("_total", "_sum", 2)), "it finds nothing at all"


def test_privacy(text, alice):
    """the text has no user, host, address or identity"""
    secrets = [ALICE, BOB, HOST, "alice", "liddell", "wonderland", "builder", "127.0.0.1", "::1", "local:",
               "_mpind", alice.mpin_id, alice.hash, alice.hash[:8]]
    assert not [word for word in secrets if word in text]
    assert not re.search(r"[0-9a-f]{8}|\d+\.\d+\.\d+\.\d+", "\n".join(re.findall(r"\{.*\}", text)))


def test_alerts(text):
    """promtool accepts the alerts, and their metrics and labels exist"""
    assert promtool("check", "rules", f"{FILES}/alerts.yml") == ""
    assert_found(alerts(), text)


def test_firing(server):
    """each alert fires in trouble, and none in health"""
    names = re.findall(r"- alert: (\w+)", alerts())
    assert len(names) > 5
    path = f"{server.home}/tests.yml"
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"rule_files": [os.path.realpath(f"{FILES}/alerts.yml")], "evaluation_interval": "1m",
                   "tests": [firing(True, names), firing(False, [])]}, file)
    assert promtool("test", "rules", path) == ""


def test_dashboard(server, text):
    """promtool accepts each expression of the dashboard, and its metrics and labels exist"""
    found = expressions()
    assert len(found) > 20
    path = f"{server.home}/rules.yml"
    rules = [{"record": f"panel:{number}", "expr": one} for number, one in enumerate(found)]
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"groups": [{"name": "dashboard", "rules": rules}]}, file)
    assert promtool("check", "rules", path) == ""
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"groups": [{"name": "bad", "rules": [{"record": "a", "expr": "sum(("}]}]}, file)
    assert promtool("check", "rules", path), "it finds nothing at all"
    assert_found("\n".join(found), text)


def test_clients(server):
    """other addresses of the server have no monitoring, and monitoring has nothing else"""
    for wire in server.wire(), Wire(f"unix:{server.home}/run/admin.sock"):
        for path in "/metrics", "/live", "/ready":
            assert wire.get(path).status == 404, path
    for path in "/", "/status", "/rps/clientSettings", "/v1/users", "/metrics/", "/metrics/a":
        assert server.monitor(path).status == 404, path
    assert Wire(MONITORING).post("/metrics", {}).status == 405
    assert server.monitor("/metrics", headers={"Origin": "https://evil.example"}).status == 403
    assert server.monitor("/live").body == b"live\n"


def test_quiet(server, text):
    """answers of monitoring have no lines in the log, but refusals have"""
    assert text
    server.monitor("/ready")
    server.monitor("/nothing")
    server.front.says('request status="404" .*source="127.0.0.1"')
    assert 'route="metrics"' not in server.front.said()


def test_authority(server, alice):
    """without the authority the server is ready for logins, and /ready and /metrics say what is wrong"""
    assert server.becomes(200).body == b"ready\n"
    server.authority.kill()
    answer = server.becomes(200, b"authority")
    assert answer.body == b"ready\nauthority: It does not answer.\n", repr(answer)
    assert server.monitor("/live").status == 200
    said = server.monitor("/metrics").body.decode()
    assert value(said, "mpind_ready", part="authority") == 0
    assert value(said, "mpind_ready", part="database") == 1
    server.authority.start()
    server.monitoring.until("/ready", lambda answer: (answer.status, answer.body) == (200, b"ready\n"))


def test_drain(server):
    """after SIGTERM the server is not ready, until the request under way is answered and it ends"""
    body = b'{"status":"wid","wid":"0a0b0c0d0e0f00010203040506070809"}'
    with socket.socket(socket.AF_UNIX) as caller:
        caller.settimeout(PATIENCE)
        caller.connect(server.public.removeprefix("unix:"))
        caller.sendall(b"POST /rps/codeStatus HTTP/1.1\r\nHost: localhost\r\n"
                       b"Content-Type: application/json\r\nExpect: 100-continue\r\n"
                       b"Content-Length: %d\r\n\r\n" % len(body))
        assert caller.recv(100).startswith(b"HTTP/1.1 100 ")
        caller.sendall(body[:10])
        server.front.running.terminate()
        answer = server.becomes(503)
        assert answer.body == b"listeners: The server is ending.\n", repr(answer)
        assert server.monitor("/live").status == 200
        caller.sendall(body[10:])
        assert caller.recv(100).startswith(b"HTTP/1.1 200 ")
    assert server.front.running.wait(PATIENCE) == 0
    with pytest.raises(ConnectionRefusedError):
        server.monitor("/live")
    assert not glob.glob(f"{server.home}/run/*"), "a socket is left"
