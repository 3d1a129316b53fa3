# SPDX-License-Identifier: Apache-2.0
# Reaching the real mpind through a real HTTP proxy (tinyproxy): logins use it, and its faults are reported.
import os
import socket
import subprocess

from doctor import Told, once
from house import PUBLIC, Login, run, settings, site
from phones import NAME, ORIGIN, front, phone_settings, phones, sudo
from support import LOG, absent, equal, eventually, within

PORT = 3128
WAY = f"http://127.0.0.1:{PORT}"
TINY_CONF, TINY_LOG = "/etc/tinyproxy-test.conf", "/var/log/tinyproxy-test.log"


class Tinyproxy:
    """tinyproxy, which permits connections to these ports; used by `with`."""

    def __init__(self, *ports):
        self.ports = ports or (443,)

    def __enter__(self):
        with open(TINY_CONF, "w") as file:
            file.write(f'Port {PORT}\nListen 127.0.0.1\nTimeout 60\nMaxClients 50\nAllow 127.0.0.1\n'
                       f'LogFile "{TINY_LOG}"\nLogLevel Connect\n')
            file.write("".join(f"ConnectPort {port}\n" for port in self.ports))
        open(TINY_LOG, "w").close()
        self.process = subprocess.Popen(["tinyproxy", "-d", "-c", TINY_CONF], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        eventually(self.listens, "the proxy")
        return self

    def listens(self):
        with socket.socket() as end:
            return end.connect_ex(("127.0.0.1", PORT)) == 0

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(60)

    def asked(self):
        """The requests that the proxy has logged so far."""
        with open(TINY_LOG) as file:
            return [line.split("): ", 1)[1].strip() for line in file if "Request (file descriptor" in line]


def by_proxy(server, more="", proxy=WAY):
    """mpin.conf of a host that reaches mpind by TLS through the proxy, while the block runs."""
    return settings(f"ca-file = {server.certificate}\nproxy = {proxy}\n{more}", backend=ORIGIN)


def tested(server, proxy=WAY, status=3):
    """The error of `mpin test` when it cannot reach the server."""
    with by_proxy(server, proxy=proxy):
        done = subprocess.run(["mpin", "test", "alice", "--pin-fd", "0"], input=site().alice, text=True,
                              capture_output=True, timeout=60)
    equal(done.returncode, status, done.stderr)
    return done.stderr


def test_login_by_the_proxy():
    """a login uses the proxy of mpin.conf, whose log shows CONNECT, and no proxy of the environment"""
    elsewhere = "http://127.0.0.1:9"
    variables = ["env", *(f"{name}={elsewhere}" for name in ("http_proxy", "https_proxy", "HTTPS_PROXY",
                                                             "ALL_PROXY")), f"no_proxy={NAME}"]
    with Tinyproxy() as proxy, front() as server, by_proxy(server, "tries = 1"):
        equal(Login("mpin", "alice", site().alice).code, "SUCCESS")
        asked = proxy.asked()
        assert asked and set(asked) == {f"CONNECT {NAME}:443 HTTP/1.1"}, asked
        equal(Login("mpin", "alice", "Kestrel-0000").code, "AUTH_ERR")
        equal(Login("mpin", "alice", site().alice, prefix=variables).code, "SUCCESS")
        before = len(proxy.asked())
        run("mpin", "test", "alice", fds={"--pin-fd": site().alice + "\n"})
        assert len(proxy.asked()) > before


def test_phone_by_the_proxy():
    """a login by phone uses the proxy, too"""
    phones()
    with Tinyproxy() as proxy, front() as server:
        more = f"proxy = {WAY}\nca-file = {server.certificate}"
        with phone_settings(more, backend=ORIGIN):
            console = sudo("dora")
            equal(console.types(phones().dora.approves(console.address)).ends(), ("root", 0))
        assert f"CONNECT {NAME}:443 HTTP/1.1" in proxy.asked(), proxy.asked()


def test_stopped_proxy():
    """with the proxy stopped no user gets in, and test, doctor and the log name the proxy"""
    with front() as server:
        mark = LOG.mark()
        with by_proxy(server):
            equal(Login("mpin", "alice", site().alice).code, "AUTHINFO_UNAVAIL")
        equal(LOG.record(mark, "mpin-relay")[1]["proxy"], WAY)
        within(tested(server), f"The proxy at {WAY} did not answer.", "'proxy' in mpin.conf")
        equal(server.calls, [])


def test_refusing_proxy():
    """a proxy that refuses is named with its status, and nobody gets in"""
    with Tinyproxy(8443) as proxy, front() as server:
        within(tested(server), f"The proxy at {WAY} refused (HTTP 403).", "CONNECT")
        assert proxy.asked(), "the proxy was not asked"
        with by_proxy(server):
            equal(Login("mpin", "alice", site().alice).code, "AUTHINFO_UNAVAIL")
        equal(server.calls, [])


def test_certificate_behind_the_proxy():
    """the server's certificate must be for its name also behind a proxy"""
    with Tinyproxy() as proxy, front() as server:
        with settings(f"ca-file = {server.certificate}\nproxy = {WAY}", backend="https://localhost"):
            done = subprocess.run(["mpin", "test", "alice", "--pin-fd", "0"], input=site().alice, text=True,
                                  capture_output=True, timeout=60)
        equal(done.returncode, 3, done.stderr)
        within(done.stderr, "another name")
        equal((set(proxy.asked()), server.calls), ({"CONNECT localhost:443 HTTP/1.1"}, []))


def test_no_proxy_for_a_socket():
    """a server on a Unix socket is never reached through a proxy, and a section can switch the proxy off"""
    with settings(f"proxy = {WAY}", backend=f"unix:{PUBLIC}"):
        equal(Login("mpin", "alice", site().alice).code, "SUCCESS")
    with front() as server, by_proxy(server, "[mpin]\nproxy = none"):
        equal(Login("mpin", "alice", site().alice).code, "SUCCESS")
        assert server.calls


def test_doctor_names_the_proxy():
    """doctor names a proxy that is stopped and one that refuses, and finds no fault with one that works"""
    once()
    with front() as server:
        with by_proxy(server):
            found = Told().about("server-unreachable")
            within(found[0]["message"], f"The proxy at {WAY} did not answer.")
        with Tinyproxy(8443), by_proxy(server):
            found = Told().about("server-unreachable")
            within(found[0]["message"], f"The proxy at {WAY} refused (HTTP 403).")
        with Tinyproxy(), by_proxy(server):
            told = Told()
            within(" ".join(told.words("ok")), "server", "relay")
            absent(" ".join(told.words("problem")), "server")
    os.unlink(TINY_CONF)
