# SPDX-License-Identifier: Apache-2.0
"""A private cluster of PostgreSQL in a folder of its own, reached by a Unix socket only. As a program:
`cluster.py COMMAND...` runs the command beside a cluster whose folder is in MPIN_POSTGRES. That cluster does
not wait for its disk, so it is for tests that never end it by force."""
import copy
import glob
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time

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
        # Tests kill processes, not machines, so the first files need not be on the disk.
        self.run("initdb", "--pgdata", self.data, "--username", "postgres", "--auth", "trust", "--encoding",
                 "UTF8", "--locale", "C", "--no-sync")
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

    def address(self, database, user="postgres", hosts=()):
        owner = self.user or pwd.getpwuid(os.geteuid()).pw_name
        return f"postgresql://{user}@/{database}?host={','.join(hosts or [self.folder])}&requirepeer={owner}"

    def processes(self):
        """The ids of the server's processes, the first one's before the others'."""
        with open(f"{self.data}/postmaster.pid", encoding="ascii") as file:
            first = int(file.readline())
        with open(f"/proc/{first}/task/{first}/children", encoding="ascii") as file:
            return [first, *map(int, file.read().split())]

    def crash(self):
        """Kills all processes of the server, as the end of its machine does."""
        for process in self.processes():
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        os.remove(f"{self.data}/postmaster.pid")

    def process(self, name):
        """The id of the server's process of this name; 0 without one."""
        for process in self.processes():
            try:
                with open(f"/proc/{process}/cmdline", encoding="utf-8") as file:
                    if name in file.read():
                        return process
            except FileNotFoundError:
                pass
        return 0

    def receiver(self):
        """The id of the process of a standby that receives the primary's changes."""
        process = self.process("walreceiver")
        assert process, "no walreceiver"
        return process

    def stop_receiving(self):
        """Stops it without an end."""
        os.kill(self.receiver(), signal.SIGSTOP)

    def kill_receiver(self):
        """Kills it. Then the standby begins its recovery anew, which this waits for: PostgreSQL may
        forget a promotion that it is asked for meanwhile."""
        before, end = self.process("startup"), time.monotonic() + PATIENCE
        os.kill(self.receiver(), signal.SIGKILL)
        while self.process("startup") in (before, 0):
            assert time.monotonic() < end
            time.sleep(0.05)

    def standby(self, name):
        """A running standby of this server, of that name; its folder is below this one's."""
        standby = copy.copy(self)
        standby.folder = f"{self.folder}/{name}"
        standby.data = f"{standby.folder}/data"
        self.run("pg_basebackup", "--host", self.folder, "--username", "postgres", "--pgdata", standby.data,
                 "--write-recovery-conf", "--checkpoint=fast", "--no-sync")
        standby.set(unix_socket_directories=f"'{standby.folder}'", cluster_name=name)
        standby.start()
        return standby

    def waits_for(self, names):
        """From now on a commit waits for these standbys; for none if it is empty."""
        self.sql(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'", "SELECT pg_reload_conf()")
        wanted, end = "sync" if names else "async", time.monotonic() + PATIENCE
        while self.sql("SELECT DISTINCT sync_state FROM pg_stat_replication") != wanted:
            assert time.monotonic() < end
            time.sleep(0.05)

    def promote(self):
        self.run("pg_ctl", "--pgdata", self.data, "--wait", "promote")

    def close(self):
        if os.path.exists(f"{self.data}/postmaster.pid"):
            self.stop("immediate")
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
