# SPDX-License-Identifier: Apache-2.0
# A database that is reached over the network: the certificate of PostgreSQL, and what is waited for.
import os
import shutil
import subprocess

import pytest

from support import eventually
from support.milagro import good

# An address of the loopback network at which no other PostgreSQL listens.
ADDRESS, NAME = "127.0.87.1", "db.example.org"


class Certificates:
    """A folder of self-signed certificates for PostgreSQL, each with its key."""

    def __init__(self, cluster, folder):
        self.cluster, self.folder = cluster, folder

    def made(self, file, name):
        """The path of a new certificate for this name."""
        path = f"{self.folder}/{file}"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                        "-nodes", "-days", "2", "-subj", f"/CN={name}", "-addext",
                        f"subjectAltName=DNS:{name}", "-keyout", f"{path}.key", "-out", f"{path}.crt"],
                       check=True, capture_output=True, timeout=60)
        return f"{path}.crt"

    def install(self, certificate):
        """From now on PostgreSQL has this certificate; with None it offers no TLS."""
        if certificate:
            for path in certificate, certificate.replace(".crt", ".key"):
                copy = f"{self.cluster.data}/server.{path[-3:]}"
                shutil.copy(path, copy)
                os.chmod(copy, 0o600)
                if self.cluster.user:
                    shutil.chown(copy, self.cluster.user)
        before = self.cluster.sql("SELECT pg_conf_load_time()")
        wanted = "on" if certificate else "off"
        self.cluster.sql(f"ALTER SYSTEM SET ssl = {wanted}", "SELECT pg_reload_conf()")
        eventually(lambda: self.cluster.sql("SELECT pg_conf_load_time()") != before, "the new settings")


@pytest.fixture(scope="module")
def certificates(site):
    """Those of a PostgreSQL that lets the server's role in over the network with its password."""
    cluster = site.cluster
    cluster.sql("ALTER ROLE mpind PASSWORD 'correct horse'")
    with open(f"{cluster.data}/pg_hba.conf", "w", encoding="ascii") as file:
        file.write("local all all trust\nhost all all 127.0.0.0/8 scram-sha-256\n")
    cluster.set(listen_addresses=f"'{ADDRESS}'")
    cluster.restart()
    return Certificates(cluster, site.home)


@pytest.fixture(scope="module")
def trusted(certificates):
    return certificates.made("trusted", NAME)


@pytest.fixture(scope="module")
def distant(site, trusted):
    """Makes a server that reaches its database over the network, under this name, and does not run."""
    password = f"{site.home}/password"
    with open(password, "w", encoding="ascii") as file:
        file.write("correct horse\n")
    os.chmod(password, 0o600)
    site.server("local")
    return lambda name: site.server(
        name, address=f"postgresql://mpind@{name}/mpind?hostaddr={ADDRESS}&sslrootcert={trusted}",
        database_password_file=password)


@pytest.fixture(scope="module")
def server(distant):
    return distant(NAME)


def test_distant(server, certificates, trusted, tmp_path, monkeypatch):
    """a server reaches its database over TLS with the right certificate, whatever HOME is, and users enrol
    and log in"""
    certificates.install(trusted)
    # libpq gives up if it cannot look for a certificate there, as in root's home.
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    monkeypatch.setenv("HOME", str(loop))
    server.start()
    server.enrolled("alice")
    own = "SELECT count(*), bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)"
    count, over_tls = certificates.cluster.sql(f"{own} WHERE usename = 'mpind'").split("|")
    assert int(count) > 0 and over_tls == "t"
    assert server.end() == 0


@pytest.mark.parametrize("name, sentence", [
    (None, "server does not support SSL, but SSL was required"),
    (NAME, "certificate verify failed"),
])
def test_impostor(server, certificates, name, sentence):
    """a PostgreSQL without TLS, or with a certificate that is not trusted, is refused and not waited for"""
    certificates.install(name and certificates.made("stranger", name))
    assert sentence in server.refuses()
    assert "waiting" not in server.said()


def test_misnamed(distant, certificates, trusted):
    """a trusted certificate for another name is refused and not waited for"""
    certificates.install(trusted)
    misnamed = distant("other.example.org")
    assert f'certificate for "{NAME}" does not match host name "other.example.org"' in misnamed.refuses()
    assert "waiting" not in misnamed.said()


def test_password(server, certificates, trusted):
    """a wrong password is refused and not waited for"""
    certificates.install(trusted)
    cluster = certificates.cluster
    cluster.sql("ALTER ROLE mpind PASSWORD 'another'")
    try:
        assert "password authentication failed" in server.refuses()
        assert "waiting" not in server.said()
    finally:
        cluster.sql("ALTER ROLE mpind PASSWORD 'correct horse'")


def test_down(server, certificates, trusted):
    """a server waits while nothing listens at the database's address, and starts when PostgreSQL does"""
    certificates.install(trusted)
    certificates.cluster.stop()
    server.start(waits=False)
    server.says("^waiting database=.*Connection refused")
    certificates.cluster.start()
    server.says("^ready")
    good(server.wire().get("/rps/clientSettings"))
    assert server.end() == 0
