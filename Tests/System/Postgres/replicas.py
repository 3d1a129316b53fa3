# SPDX-License-Identifier: Apache-2.0
"""A site: a cluster of PostgreSQL, an authority, and any number of servers with the same secrets."""
import json
import os
import shutil
import subprocess
import tempfile

from cluster import Cluster
from support.milagro import Client, good
from support.process import PATIENCE, Process
from support.wire import Wire

class Site:
    """Starts the cluster and the authority; `server` makes a server."""

    def __init__(self, programs, **settings):
        self.mpind = os.path.join(programs, "mpind")
        self.home = tempfile.mkdtemp(prefix="mpin-site-")
        self.cluster = Cluster(**settings)
        # The folders of the sockets at which the database may be; those of the cluster unless a test sets it.
        self.hosts = [self.cluster.folder]
        self.servers = []
        for role in "mpind", "ta":
            self.cluster.sql(f"CREATE ROLE {role} LOGIN")
        self.cluster.sql("CREATE DATABASE mpind OWNER mpind")
        for role in "mpind", "ta":
            self.cluster.sql(f"CREATE SCHEMA AUTHORIZATION {role}", database="mpind")
        self.socket, self.master = f"{self.home}/ta.sock", f"{self.home}/master"
        self.authority = Process(f"{self.home}/ta.log", self.mpind, "authority", "--data", self.master,
                                 "--listen", self.socket)

    def address(self, role):
        return self.cluster.address("mpind", role, hosts=self.hosts)

    def server(self, name, address=None, secrets_of=None, **settings):
        """A server that does not run yet. The first one makes the secrets, the others copy them."""
        server = Server(self, name, address or self.address("mpind"), settings)
        first = secrets_of or (self.servers[0] if self.servers else None)
        if first:
            os.mkdir(server.data, 0o700)
            shutil.copy2(f"{first.data}/server", f"{server.data}/server")
        else:
            server.run("init", "--config", server.conf)
            self.authority.words += "--database", self.address("ta")
            self.authority.start()
        self.servers.append(server)
        return server

    def close(self):
        for process in *self.servers, self.authority:
            process.kill()
        self.cluster.close()
        shutil.rmtree(self.home, ignore_errors=True)


class Server(Process):
    def __init__(self, site, name, address, settings):
        self.site, self.data, self.conf = site, f"{site.home}/{name}", f"{site.home}/{name}.conf"
        self.public = f"unix:{self.data}/mpind.sock"
        with open(self.conf, "w", encoding="utf-8") as file:
            file.write(f"listen = {self.public}\nadmin-socket = {self.data}/admin.sock\ndata = {self.data}\n"
                       f"authority-data = {site.master}\nauthority-socket = {site.socket}\n"
                       f"database = {address}\n")
            file.writelines(f"{key.replace('_', '-')} = {value}\n" for key, value in settings.items())
        super().__init__(f"{site.home}/{name}.log", site.mpind, "serve", "--config", self.conf)

    def run(self, *words, code=0):
        done = subprocess.run([self.site.mpind, *words], capture_output=True, text=True, timeout=PATIENCE,
                              check=False)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    def wire(self):
        return Wire(self.public)

    def code(self, user):
        said = self.run("user", "add", user, "--config", self.conf, "--json")
        return json.loads(said.splitlines()[0])["activationCode"]

    def join_code(self, host):
        """A join code for a host, which is removed before if it is there."""
        subprocess.run([self.site.mpind, "host", "remove", host, "--config", self.conf], check=False,
                       capture_output=True, timeout=PATIENCE)
        said = self.run("host", "add", host, "--config", self.conf, "--json")
        return json.loads(said.splitlines()[0])["joinCode"]

    def enrolled(self, name):
        """A user who has enrolled and logged in."""
        user = f"{name}@example.org"
        client = Client(self.wire(), user).register("1234", activateCode=self.code(user))
        good(client.log_in("1234"))
        return client
