# SPDX-License-Identifier: Apache-2.0
"""A private cluster of PostgreSQL in a folder of its own, reached by a Unix socket only. As a program:
`cluster.py COMMAND...` runs the command beside a cluster whose folder is in MPIN_POSTGRES. That cluster does
not wait for its disk, so it is for tests that never end it by force."""
import glob
import os
import pwd
import shutil
import subprocess
import sys
import tempfile

PATIENCE = 60


def programs():
    """The folder of the newest PostgreSQL's programs."""
    return sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[-2]))[-1]


class Cluster:
    """A running server. Root starts it as the user postgres, because it refuses to run as root."""

    def __init__(self, safe=True, **settings):
        self.folder = tempfile.mkdtemp(prefix="mpin-pg-")
        self.user = "postgres" if os.geteuid() == 0 else None
        os.chmod(self.folder, 0o755)
        if self.user:
            os.chown(self.folder, pwd.getpwnam(self.user).pw_uid, -1)
        self.data = f"{self.folder}/data"
        self.run("initdb", "--pgdata", self.data, "--username", "postgres", "--auth", "trust", "--encoding",
                 "UTF8", "--locale", "C", *([] if safe else ["--no-sync"]))
        common = {"listen_addresses": "''", "unix_socket_directories": f"'{self.folder}'",
                  "max_connections": "300", "log_min_messages": "warning"}
        fast = {} if safe else {"fsync": "off", "full_page_writes": "off", "autovacuum": "off"}
        self.set(**common, **fast, **settings)
        self.start()

    def set(self, **settings):
        """Adds settings, which a restart makes valid."""
        with open(f"{self.data}/postgresql.conf", "a", encoding="utf-8") as file:
            file.writelines(f"{key} = {value}\n" for key, value in settings.items())

    def run(self, program, *words):
        as_user = {"user": self.user, "group": self.user, "extra_groups": []} if self.user else {}
        subprocess.run([f"{programs()}/{program}", *words], check=True, stdout=subprocess.DEVNULL,
                       stdin=subprocess.DEVNULL, timeout=PATIENCE, cwd="/", **as_user)

    def start(self):
        self.run("pg_ctl", "--pgdata", self.data, "--wait", "--log", f"{self.folder}/log", "start")

    def stop(self, mode="fast"):
        """Modes: `fast` ends all connections in order, `immediate` is like a crash."""
        self.run("pg_ctl", "--pgdata", self.data, "--wait", "--mode", mode, "stop")

    def restart(self, mode="fast"):
        self.stop(mode)
        self.start()

    def sql(self, *statements, database="postgres", patience=PATIENCE):
        """Runs statements and returns what they print."""
        done = subprocess.run(
            [f"{programs()}/psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-U", "postgres",
             "-d", database, *(word for statement in statements for word in ("-c", statement))],
            check=True, capture_output=True, text=True, timeout=patience)
        return done.stdout.strip()

    def address(self, database, user="postgres"):
        owner = self.user or pwd.getpwuid(os.geteuid()).pw_name
        return f"postgresql://{user}@/{database}?host={self.folder}&requirepeer={owner}"

    def close(self):
        try:
            self.stop("immediate")
        except subprocess.CalledProcessError:
            pass
        shutil.rmtree(self.folder, ignore_errors=True)


def main():
    cluster = Cluster(safe=False)
    try:
        return subprocess.run(sys.argv[1:], env={**os.environ, "MPIN_POSTGRES": cluster.folder},
                              check=False).returncode
    finally:
        cluster.close()


if __name__ == "__main__":
    sys.exit(main())
