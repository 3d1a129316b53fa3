# SPDX-License-Identifier: Apache-2.0
# Server and login host as two machines, as newcomer_apart.py sets them up: their trust and, in the long run,
# TLS on port 443 by mpind, certbot, nginx, and the removal.
import os
import pathlib
import re
import ssl
import time

from apart_backup import assert_sealed, backed_up, removed, restored
from apart_postgres import blocks, distant, logs_in, moved, over_tls, reboots, returned
from apart_wire import CA, HOST, NAME, SERVER, URL, assert_closed, shell, shown, status, there
from machine import LONG
import host
import newcomer_apart as newcomer
import ways
from host import contents, equal, run, within
from screens import Screens

SETTINGS = "/etc/mpin/mpind.conf"
SOCKETS = "mpind-tls.socket", "mpind.socket", "mpind-admin.socket"


def process():
    return there("systemctl", "show", "--property=MainPID", "--value", "mpind").strip()


def sources():
    """The sources of the status requests in the server's log."""
    there("journalctl", "--sync")
    lines = there("journalctl", "--unit=mpind", "--output=cat", "--no-pager").splitlines()
    found = [re.search(r'^request .*route="status".* source="([^"]*)"', line) for line in lines]
    return [one[1] for one in found if one]


def by_tls():
    """alice has logged in over TLS, with her host's address in the server's log, as the settings of both
    say"""
    equal(status(), "200")
    equal(set(sources()), {HOST})
    within(contents("/etc/mpin/mpin.conf"), f"backend = {URL}", f"ca-file = {CA}",
           f"phone-address = {URL}/\n")
    equal((os.stat(CA).st_uid, os.stat(CA).st_mode & 0o777), (0, 0o644))


def trusts():
    """a host that trusts another CA gets no answer, and one that trusts this CA only by the server's name"""
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={NAME}", "-addext",
        f"subjectAltName=DNS:{NAME}", "-keyout", "/run/stranger.key", "-out", "/run/stranger.pem")
    within(run("mpin", "backend", "test", URL, "--ca-file", "/run/stranger.pem", status=3), "certificate")
    run("mpin", "backend", "test", URL, "--ca-file", CA)
    within(run("mpin", "backend", "test", f"https://{SERVER}", "--ca-file", CA, status=3), "certificate")


def bound():
    """port 443 is bound by systemd for mpind, which is not root and has no capability"""
    equal(there("systemctl", "is-enabled", "mpind.service", *SOCKETS).split(), ["enabled"] * 4)
    within(there("systemctl", "show", "--property=Listen", "mpind-tls.socket"), "[::]:443 (Stream)")
    fields = dict(line.split(":\t", 1) for line in there("cat", f"/proc/{process()}/status").splitlines()
                  if ":\t" in line)
    owner = there("id", "-u", "_mpind").strip()
    equal((set(fields["Uid"].split()), fields["CapEff"], fields["CapBnd"]), ({owner}, "0" * 16, "0" * 16))
    # The uid that bound it: the eighth field of the line that listens (0A) at 443 (01BB).
    listening = [line.split()[7] for line in there("cat", "/proc/net/tcp6").splitlines()
                 if ":01BB " in line and " 0A " in line]
    equal(listening, ["0"])
    equal(there("stat", "-c", "%U:%G %a", "/etc/mpin/tls/server.key", "/etc/mpin/tls/ca.key").splitlines(),
          ["root:_mpind 640", "root:root 600"])


def stopped():
    """`systemctl stop 'mpind*'` closes all ports and sockets, and `systemctl start mpind` opens them again"""
    there("systemctl", "stop", "mpind*")
    assert_closed()
    units = there("systemctl", "list-units", "--all", "--plain", "--no-legend", "mpind*").splitlines()
    equal([line for line in units if " active " in line], [])
    there("systemctl", "start", "mpind")
    equal(status(), "200")
    equal(there("systemctl", "is-active", "mpind-renew.timer"), "active\n")


def again():
    """a second `mpind setup` changes nothing, and one for another name is refused"""
    files = "sha256sum /etc/mpin/mpind.conf /etc/mpin/tls/*"
    before, running = shell(files), process()
    there("mpind", "setup", NAME)
    within(there("mpind", "setup", "other.example", status=2), "public-url")
    equal((shell(files), process()), (before, running))
    equal(status(), "200")


def renewed():
    """`mpind tls renew` and a reload make the server use a new certificate, and the host needs no change"""
    before, first = process(), shown()
    with Screens("apart-renew") as screens:
        newcomer.on_server(screens, "sudo mpind tls renew")
    equal(shown(), first)
    there("systemctl", "reload", "mpind")
    while shown() == first:
        time.sleep(0.1)
    equal(process(), before)
    logs_in()


def renews_itself():
    """before the certificate ends a timer renews it, and the server uses the new one; earlier it changes
    nothing"""
    equal(there("systemctl", "is-enabled", "mpind-renew.timer"), "enabled\n")
    files = "sha256sum /etc/mpin/tls/*"
    before, running = shell(files), process()
    there("systemctl", "start", "mpind-renew.service")
    equal(shell(files), before)
    # 300 of 397 days are over.
    there("faketime", "-f", "-300d", "mpind", "tls", "renew")
    there("systemctl", "reload", "mpind")
    old = ssl.PEM_cert_to_DER_cert(there("cat", "/etc/mpin/tls/server.pem"))
    while shown() != old:
        time.sleep(0.1)
    there("systemctl", "start", "mpind-renew.service")
    new = ssl.PEM_cert_to_DER_cert(there("cat", "/etc/mpin/tls/server.pem"))
    assert new != old, "the certificate is not renewed"
    while shown() != new:
        time.sleep(0.1)
    equal(process(), running)
    logs_in()


LINEAGE = f"/etc/letsencrypt/live/{NAME}"
HOOK = "/etc/letsencrypt/renewal-hooks/deploy/certbot-hook"
# certbot's layout: live/NAME has links to files of the archive, which only root may read.
ISSUE = f"""
umask 077
archive=/etc/letsencrypt/archive/{NAME}
mkdir -p {LINEAGE} $archive
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 90 -subj /CN=$1 \\
    -addext subjectAltName=DNS:{NAME} -keyout $archive/privkey$1.pem -out $archive/fullchain$1.pem 2>/dev/null
for file in privkey fullchain; do ln -sf ../../archive/{NAME}/$file$1.pem {LINEAGE}/$file.pem; done
cat $archive/fullchain$1.pem
"""


def issued(number):
    """Renews certbot's files and runs its hook; returns a file with the certificate."""
    path = pathlib.Path(f"/run/issued{number}.pem")
    path.write_text(there("sh", "-euc", ISSUE, "sh", str(number)))
    there("env", f"RENEWED_LINEAGE={LINEAGE}", HOOK)
    # Another certificate of the machine is not mpind's.
    there("env", "RENEWED_LINEAGE=/etc/letsencrypt/live/www.example.org", HOOK)
    return str(path)


def certbot():
    """the packaged hook gives mpind the files that certbot renews, and the running server uses them"""
    shell(f"install -D /usr/share/doc/mpin-server/examples/certbot-hook {HOOK}")
    first = issued(1)
    files = "/etc/mpin/tls/privkey.pem", "/etc/mpin/tls/fullchain.pem"
    equal(there("stat", "-c", "%U:%G %a", *files).splitlines(), ["root:_mpind 640", "root:root 644"])
    shell(f"sed -i 's|/tls/server.pem|/tls/fullchain.pem|; s|/tls/server.key|/tls/privkey.pem|' {SETTINGS}")
    there("systemctl", "restart", "mpind")
    before = process()
    equal(shown(first), ssl.PEM_cert_to_DER_cert(contents(first)))
    second = issued(2)
    wanted = ssl.PEM_cert_to_DER_cert(contents(second))
    end = time.monotonic() + 60
    while True:
        try:
            equal(shown(second), wanted)
            break
        except ssl.SSLCertVerificationError:
            assert time.monotonic() < end, "the old certificate is still in use"
            time.sleep(0.1)
    equal(process(), before)
    equal(there("sh", "-c", "ls /etc/mpin/tls | grep new", status=1), "")
    files = shell("sha256sum /etc/mpin/tls/*")
    there("systemctl", "start", "mpind-renew.service")
    equal(shell("sha256sum /etc/mpin/tls/*"), files)
    shell(f"sed -i 's|/tls/fullchain.pem|/tls/server.pem|; s|/tls/privkey.pem|/tls/server.key|' {SETTINGS}")
    there("systemctl", "restart", "mpind")


# The configuration of mpind.conf(5), at another port.
NGINX = """
server {
    listen 8443 ssl;
    server_name login.example.org;
    ssl_certificate /etc/mpin/tls/server.pem;
    ssl_certificate_key /etc/mpin/tls/server.key;
    client_max_body_size 64k;
    location / {
        proxy_pass http://unix:/run/mpind/proxy.sock;
        proxy_http_version 1.1;
        proxy_set_header Host $host;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
}
"""
ASK = """
import socket, sys
with socket.socket(socket.AF_UNIX) as line:
    line.settimeout(60)
    line.connect("/run/mpind/proxy.sock")
    line.sendall(b"GET /status HTTP/1.1\\r\\nHost: login.example.org\\r\\nConnection: close\\r\\n\\r\\n")
    print(line.makefile("rb").readline().split()[1].decode())
"""


def proxied():
    """the proxies' socket is open only to their group and needs X-Forwarded-For; nginx passes the client's
    address"""
    shell(f"echo 'proxy-listen = unix:/run/mpind/proxy.sock' >>{SETTINGS}")
    there("usermod", "--append", "--groups", "mpin-proxy", "www-data")
    there("systemctl", "enable", "mpind-proxy.socket")
    there("systemctl", "restart", "mpind")
    equal(there("stat", "-c", "%U:%G %a", "/run/mpind/proxy.sock"), "root:mpin-proxy 660\n")
    within(there("runuser", "-u", "alice", "--", "python3", "-c", ASK, status=1), "PermissionError")
    equal(there("runuser", "-u", "www-data", "--", "python3", "-c", ASK), "400\n")
    there("sh", "-c", 'printf %s "$1" >/etc/nginx/conf.d/mpin.conf', "sh", NGINX)
    there("systemctl", "start", "nginx")
    count = len(sources())
    equal(status(port=8443, headers="X-Forwarded-For: 203.0.113.9\r\n"), "200")
    equal(sources()[count:], [HOST])
    equal(status(), "200")


CERTIFICATES = []


def archived():
    """postgresql.md's commands pack what a second server needs, and the first one goes on"""
    there("bash", "-euc", blocks(2)[0])
    CERTIFICATES.append(shown())


def second():
    """on a machine without a server postgresql.md's commands make one of the same secrets and certificate,
    and alice logs in there"""
    shell("apt-get install /srv/mpin-server_*.deb")
    there("bash", "-euc", blocks(2)[1])
    equal((status(), shown()), ("200", CERTIFICATES[0]))
    assert_sealed()
    over_tls()


SHORT = [newcomer.wire, newcomer.readme, newcomer.logs_in, by_tls, ways.healthy, trusts, bound, stopped,
         renews_itself, backed_up, restored]
REST = [newcomer.looks, again, renewed, newcomer.joins_again, certbot, moved, reboots, distant, archived,
        proxied, removed, second, returned]
host.main(*SHORT, *(REST if LONG else []))
