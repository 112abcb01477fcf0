"""Parts that kill: backends and postmaster of the database, instances, and a primary whose standby is promoted.

Invariant: after each kill callbacks are stored again within a bound, and at the end the ledger is right.
"""

import contextlib
import json
import os
import random
import subprocess
import time

from database import Database, address
from fleet import Fleet
from ledger import Ledger, Writers
from orders import Follower
from program import REPLY_SECONDS, Client, Fault
from progress import progress

INSTANCES = 2
WRITERS = 8
DISK_BYTES = 200 * 1024 * 1024
# Until callbacks are stored again after a kill: a crashed database reads its log first.
RECOVERY_SECONDS = 60
# How long clients wait where a commit may wait for its confirmation.
PATIENCE_SECONDS = 100


def _load(fleet, ledger, rng, seconds=REPLY_SECONDS):
    """A follower of the last instance, and writers at all of them."""
    follower = Follower(fleet.ports[-1], random.Random(rng.random()))
    follower.start()
    follower.expect_begun()
    writers = Writers(ledger, fleet.ports, WRITERS, seconds=seconds)
    writers.expect_progress(RECOVERY_SECONDS)
    return follower, writers


def kill_database(folder, size):
    """Kills backends and the postmaster in turn, under load."""
    rng, ledger = random.Random(size.seed), Ledger()
    database = Database(os.path.join(folder, "database"))
    try:
        with Fleet(folder, INSTANCES, store=address(database), on_outage="spool") as fleet:
            follower, writers = _load(fleet, ledger, rng)
            for number in range(size.kills):
                progress(f"kill {number + 1} of {size.kills}; {ledger.told()}")
                time.sleep(rng.uniform(0.05, 0.6))
                if number % 2:
                    database.kill_backend(rng)
                    database.wait_until_up()
                else:
                    database.kill()
                    time.sleep(rng.choice([0, 0.2, 1.5]))
                    database.start()
                writers.expect_progress(RECOVERY_SECONDS)
                fleet.expect_running()
            writers.stop()
            return f"{ledger.settle(fleet.ports[0])}; {follower.finish(ledger)}"
    finally:
        database.stop()


def kill_instance(folder, size):
    """Kills instances in turn, under load; each starts again on its folder."""
    rng, ledger = random.Random(size.seed), Ledger()
    database = Database(os.path.join(folder, "database"))
    try:
        with Fleet(folder, INSTANCES, store=address(database), on_outage="spool") as fleet:
            follower, writers = _load(fleet, ledger, rng)
            for number in range(size.kills):
                progress(f"kill {number + 1} of {size.kills}; {ledger.told()}")
                time.sleep(rng.uniform(0.05, 0.5))
                # Every fourth amid an outage, so that it has callbacks in its journal.
                is_outage = number % 4 == 3
                if is_outage:
                    database.kill()
                    time.sleep(rng.uniform(0.5, 1.5))
                instance = fleet[number % INSTANCES]
                instance.program.expect_running()
                instance.program.kill()
                time.sleep(rng.choice([0, 0.2]))
                if is_outage and number % 8 == 3:
                    database.start()
                instance.start()
                # It knows the database, so it starts without it.
                if is_outage and number % 8 == 7:
                    time.sleep(1)
                    database.start()
                writers.expect_progress(RECOVERY_SECONDS)
            writers.stop()
            return f"{ledger.settle(fleet.ports[0])}; {follower.finish(ledger)}"
    finally:
        database.stop()


class SmallDisk:
    """A file system in memory, which can be filled up."""

    def __init__(self, folder):
        self.folder, self.ballast = folder, os.path.join(folder, "ballast")
        os.makedirs(folder)
        ended = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES},mode=711", "none", folder],
                               capture_output=True, text=True, timeout=10, check=False)
        self.is_mounted = not ended.returncode

    def fill(self):
        with contextlib.suppress(OSError), open(self.ballast, "ab", buffering=0) as file:
            while True:
                # Until not a byte fits.
                file.write(bytes(4096))

    def clear(self):
        os.remove(self.ballast)

    def close(self):
        if self.is_mounted:
            subprocess.run(["umount", "--lazy", self.folder], timeout=10, check=False)


def full_disk(folder, size):
    """Fills the disk of the database, under load, and makes room again."""
    rng, ledger, database = random.Random(size.seed), Ledger(), None
    disk = SmallDisk(os.path.join(folder, "disk"))
    if not disk.is_mounted:
        return "left out: only an administrator can mount a small file system"
    try:
        database = Database(os.path.join(disk.folder, "database"), ["max_wal_size = '48MB'", "min_wal_size = '32MB'"])
        with Fleet(folder, INSTANCES, store=address(database), on_outage="spool") as fleet:
            follower, writers = _load(fleet, ledger, rng)
            for number in range(size.fillings):
                progress(f"filling {number + 1} of {size.fillings}; {ledger.told()}")
                time.sleep(rng.uniform(0.1, 0.5))
                disk.fill()
                _wait_for_failure(fleet.ports[0])
                disk.clear()
                # Without room for its log it ends.
                if not database.answers():
                    database.stop()
                    database.start()
                writers.expect_progress(RECOVERY_SECONDS)
                fleet.expect_running()
            writers.stop()
            if not any("full" in instance.program.text() for instance in fleet):
                raise Fault("no log says that the database's disk is full")
            return f"{ledger.settle(fleet.ports[0])}; {follower.finish(ledger)}"
    finally:
        if database:
            database.stop()
        disk.close()


def _wait_for_failure(port):
    """Returns when `/readyz` says that the database can't be used."""
    client, deadline = Client(port), time.monotonic() + RECOVERY_SECONDS
    try:
        while True:
            status, content = client.ask("GET", "/readyz")
            if status == 503 and any(check["name"] == "database" and check["status"] == "fail"
                                     for check in json.loads(content)["checks"]):
                return
            if time.monotonic() > deadline:
                raise Fault("a full disk is not noticed")
            time.sleep(0.05)
    finally:
        client.close()


class Pair:
    """A primary, and a standby that confirms each commit."""

    def __init__(self, folder):
        self.primary = Database(os.path.join(folder, "primary"), ["wal_keep_size = '256MB'"])
        self.standby = None
        try:
            self.standby = Database(os.path.join(folder, "standby"), primary=self.primary)
            self.primary.configure("synchronous_standby_names = 'standby'")
            self.primary.reload()
            self.primary.expect_synchronous()
        except BaseException:
            self.stop()
            raise

    def stop(self):
        for database in (self.primary, self.standby):
            if database:
                database.stop()


def _lose_primary(pair, rng, size):
    """The primary is gone for good amid the load."""
    time.sleep(rng.uniform(0.5, size.seconds))
    pair.primary.kill()


def _restart_unconfirmed(pair, rng, size):
    """Commits that no standby has confirmed are visible after the primary's restart, and are lost with it."""
    time.sleep(rng.uniform(0.5, size.seconds))
    pair.standby.kill()
    time.sleep(1)
    pair.primary.kill()
    time.sleep(0.2)
    pair.primary.start()
    time.sleep(6)
    pair.primary.kill()
    pair.standby.start()


def _lose_standby(pair, rng, size):
    """No standby confirms anything for longer than an instance waits for a commit."""
    time.sleep(rng.uniform(0.5, size.seconds))
    pair.standby.kill()
    time.sleep(size.stall_seconds)
    pair.primary.kill()
    pair.standby.start()


def standby(folder, size):
    """Promotes the standby after the primary was killed, in several ways."""
    rng, told, faults = random.Random(size.seed), [], []
    ways = [_lose_primary] * size.promotions + [_restart_unconfirmed] + [_lose_standby] * bool(size.stall_seconds)
    for number, way in enumerate(ways):
        name = way.__name__.strip("_").replace("_", "-")
        progress(f"promotion {number + 1} of {len(ways)}: {name}")
        try:
            told.append(f"{name}: {_promote(os.path.join(folder, f'{number}-{name}'), way, rng, size)}")
        except Fault as fault:
            faults.append(f"{name}: {fault}")
    if faults:
        raise Fault("\n    ".join(faults + told))
    return "\n    ".join(told)


def _promote(folder, way, rng, size):
    os.makedirs(folder)
    os.chmod(folder, 0o711)
    pair, ledger = Pair(folder), Ledger()
    try:
        store = address(pair.primary, pair.standby)
        with Fleet(folder, INSTANCES, store=store, on_outage="spool") as fleet:
            follower, writers = _load(fleet, ledger, rng, PATIENCE_SECONDS)
            way(pair, rng, size)
            pair.standby.promote()
            writers.expect_progress(RECOVERY_SECONDS)
            fleet.expect_running()
            writers.stop()
            found = ledger.settle(fleet.ports[1])
            # Elsewhere the stream has shown what the primary has lost.
            return f"{found}; {follower.finish(ledger)}" if way is _lose_primary else found
    finally:
        pair.stop()
