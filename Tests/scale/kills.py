"""Parts that kill: backends and postmaster of the database, instances, and a primary whose standby is promoted.

Invariant: after each kill callbacks are stored again within a bound, and at the end the ledger is right.
"""

import os
import random
import time

from database import Database, address
from fleet import Fleet
from ledger import Ledger, Writers
from orders import Follower
from program import REPLY_SECONDS, Fault
from progress import progress

INSTANCES = 2
WRITERS = 8
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
                if is_outage:
                    database.start()
                instance.start()
                writers.expect_progress(RECOVERY_SECONDS)
            writers.stop()
            return f"{ledger.settle(fleet.ports[0])}; {follower.finish(ledger)}"
    finally:
        database.stop()


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
