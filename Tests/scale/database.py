"""PostgreSQL for tests that kill it: a server on a Unix socket in a folder of its own, and standbys of it.

Invariant: it listens nowhere else, runs as the user postgres when this program is root, ends with this program, and is
killed by its own process ids. Left out: what is in it.
"""

import glob
import os
import shutil
import signal
import subprocess
import time

from program import Fault

START_SECONDS = 60
SQL_SECONDS = 60
SETTINGS = ("listen_addresses = ''", "timezone = 'UTC'", "max_connections = 100")


def programs():
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))
    if not found:
        raise Fault("PostgreSQL is missing: .ci/install scale installs it")
    return found[-1]


def as_postgres():
    """PostgreSQL refuses to run as root. It gets SIGINT, which ends it, when this program is gone."""
    prefix = ["setpriv", "--pdeathsig=INT"]
    if os.geteuid() == 0:
        prefix += ["--reuid=postgres", "--regid=postgres", "--clear-groups"]
    return prefix


def run(command, seconds=START_SECONDS):
    """Runs a program of PostgreSQL to its end."""
    ended = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False, cwd="/")
    if ended.returncode:
        raise Fault(f"{os.path.basename(command[0])} ends with {ended.returncode}: {ended.stderr[-2000:]}")
    return ended.stdout


class Database:
    """One server: a primary, or a standby of one."""

    def __init__(self, folder, settings=(), primary=None):
        self.folder, self.process = folder, None
        self.data, self.log = os.path.join(folder, "data"), os.path.join(folder, "log")
        os.makedirs(folder)
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        if primary:
            self._copy(primary)
        else:
            run([*as_postgres(), f"{programs()}/initdb", "--pgdata", self.data, "--username=postgres",
                 "--encoding=UTF8", "--locale=C.UTF-8", "--auth=trust", "--no-sync", "--no-instructions"])
        self.configure(f"unix_socket_directories = '{folder}'", *SETTINGS, *settings)
        self.start()

    def _copy(self, primary):
        run([*as_postgres(), f"{programs()}/pg_basebackup", "--pgdata", self.data, "--host", primary.folder,
             "--username=postgres", "--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "--no-sync"])
        # Of several lines with the same name the last counts.
        self.configure(f"primary_conninfo = 'host={primary.folder} user=postgres application_name=standby'",
                       name="postgresql.auto.conf")

    def configure(self, *lines, name="postgresql.conf"):
        """For the next start, or for `reload`."""
        with open(os.path.join(self.data, name), "a", encoding="utf-8") as file:
            file.write("".join(f"{line}\n" for line in lines))

    def reload(self):
        self.process.send_signal(signal.SIGHUP)

    # --- Processes ----------------------------------------------------------------------------------

    def start(self):
        """Starts it, also after it was killed: what is left of the former processes ends by itself then."""
        deadline = time.monotonic() + START_SECONDS
        while True:
            with open(self.log, "ab") as log:
                self.process = subprocess.Popen(
                    [*as_postgres(), f"{programs()}/postgres", "-D", self.data], stdin=subprocess.DEVNULL,
                    stdout=log, stderr=log, cwd="/")
            while self.process.poll() is None:
                if self.answers():
                    return
                if time.monotonic() > deadline:
                    self.kill()
                    raise Fault(f"PostgreSQL does not start: {self.tail()}")
                time.sleep(0.02)
            if time.monotonic() > deadline:
                raise Fault(f"PostgreSQL does not start: {self.tail()}")
            time.sleep(0.1)

    def answers(self):
        return subprocess.run([f"{programs()}/pg_isready", "--quiet", "--host", self.folder, "--timeout=2"],
                              timeout=10, check=False).returncode == 0

    def wait_until_up(self):
        """After a backend was killed, all others are, and it starts itself again."""
        deadline = time.monotonic() + START_SECONDS
        while not self.answers():
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise Fault(f"PostgreSQL does not come back: {self.tail()}")
            time.sleep(0.02)

    def kill(self):
        """Only the postmaster; its children see that it is gone, and end."""
        self.process.kill()
        self.process.wait()

    def kill_backend(self, rng):
        """One that serves a Landfall; false if there is none."""
        pids = self.sql("SELECT pid FROM pg_stat_activity WHERE application_name = 'landfall'").split()
        if not pids:
            return False
        try:
            os.kill(int(rng.choice(pids)), signal.SIGKILL)
        except ProcessLookupError:
            return False
        return True

    def stop(self):
        if self.process.poll() is not None:
            return
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait(20)

    def promote(self):
        run([*as_postgres(), f"{programs()}/pg_ctl", "--pgdata", self.data, "--timeout=60", "--wait", "promote"], 90)

    def tree(self):
        """The postmaster and its children; all of them serve this database only."""
        pids = [self.process.pid]
        try:
            with open(f"/proc/{pids[0]}/task/{pids[0]}/children", encoding="ascii") as file:
                pids += map(int, file.read().split())
        except OSError:
            pass
        return pids

    def cpu_seconds(self):
        """User and system time of all its processes, those that have ended too."""
        total = 0
        for pid in self.tree():
            try:
                total += time.clock_gettime(~pid << 3 | 2)
            except OSError:
                pass
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
        return total + (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")

    def tail(self):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read()[-2000:]

    # --- Content ------------------------------------------------------------------------------------

    def sql(self, text, name="postgres"):
        return run(["psql", "--no-psqlrc", "--tuples-only", "--no-align", "--quiet", "--host", self.folder,
                    "--username=postgres", "--dbname", name, "--command", text], SQL_SECONDS).strip()

    def create(self, name):
        """An empty database of the server."""
        self.sql(f'CREATE DATABASE "{name}"')
        return name

    def expect_synchronous(self):
        """Returns when its standby confirms commits."""
        deadline = time.monotonic() + START_SECONDS
        while self.sql("SELECT sync_state FROM pg_stat_replication") != "sync":
            if time.monotonic() > deadline:
                raise Fault(f"the standby does not follow: {self.tail()}")
            time.sleep(0.05)


def address(*databases, name="postgres"):
    """libpq's URL of a database; of several servers, the one that can be written counts."""
    hosts = ",".join(database.folder for database in databases)
    several = "&target_session_attrs=read-write" if len(databases) > 1 else ""
    return f"postgres:///{name}?host={hosts}&user=postgres{several}"
