"""What a stored record costs: in files with their index, and in a PostgreSQL, at equal batches."""

import contextlib
import json
import os
import statistics
import subprocess
import time
from dataclasses import dataclass

from harness import builds, processes
from harness.failure import Failure
from harness.stage import progress, scratch_folder

PROGRAM = "landfall-store-bench"
BATCHES = {1: 3000, 8: 16_000, 64: 64_000, 256: 128_000}
"""Records that are stored, by the size of the batches."""
QUICK_SHARE = 8
START = os.path.join(builds.ROOT, "Tests", "postgresql", "start")
WORK_SECONDS = 600


@dataclass(frozen=True)
class Row:
    """Medians at one size of batches, in microseconds of CPU time a record, and records a second."""

    files_cpu: float
    """Of the store in files: the record's line, the journal, the index."""
    files_per_second: float
    landfall_cpu: float
    """Of Landfall with a database."""
    database_cpu: float
    """Of all processes of PostgreSQL."""
    database_per_second: float


@dataclass(frozen=True)
class Figures:
    """What was measured."""

    rows: dict
    """`Row` by size of batches."""
    others_share: float
    """Share of the machine's CPU time that other programs used."""


def measure(_scenario, plan):
    """`Figures` of all sizes; the stores take turns."""
    start, busy = time.monotonic(), processes.machine_busy_seconds()
    used = 0
    rows = {}
    for batch, count in BATCHES.items():
        runs = []
        for number in range(plan.rounds):
            progress(f"rows: {batch} at a time, round {number + 1}")
            run = _run(plan.programs[PROGRAM], batch, count // (QUICK_SHARE if plan.is_quick else 1))
            used += run.pop()
            runs.append(run)
        rows[batch] = Row(*(statistics.median(values) for values in zip(*runs)))
    others = processes.machine_busy_seconds() - busy - used
    return Figures(rows, max(0, others) / (time.monotonic() - start) / os.cpu_count())


def _run(program, batch, count):
    """The values of a `Row`, and the CPU seconds that all took."""
    with scratch_folder() as folder:
        files = _store(program, os.path.join(folder, "files"), batch, count)
    with _database() as (place, postmaster):
        # The tables are made before.
        _store(program, place, 1, 1)
        before = _database_seconds(postmaster)
        landfall = _store(program, place, batch, count)
        database = _database_seconds(postmaster) - before
    microseconds = 1e6 / count
    return [
        files["cpu_seconds"] * microseconds, count / files["seconds"],
        landfall["cpu_seconds"] * microseconds, database * microseconds,
        count / landfall["seconds"],
        files["cpu_seconds"] + landfall["cpu_seconds"] + database]


def _database_seconds(postmaster):
    """CPU time of all processes of a PostgreSQL, those that have ended too."""
    living = processes.settled_cpu_seconds(postmaster)
    with open(f"/proc/{postmaster}/stat", encoding="ascii") as file:
        ended = file.read().rpartition(") ")[2].split()[13:15]
    return living + sum(map(int, ended)) / processes.TICKS_PER_SECOND


def _store(program, place, batch, count):
    outcome = subprocess.run(
        [program, place, str(batch), str(count)], capture_output=True, text=True,
        timeout=WORK_SECONDS, check=False)
    if outcome.returncode != 0:
        raise Failure(f"{PROGRAM} failed:\n{outcome.stdout}{outcome.stderr}")
    return json.loads(outcome.stdout)


@contextlib.contextmanager
def _database():
    """The address of a new PostgreSQL on the disk of the other stores, and its first process."""
    with scratch_folder() as folder:
        # PostgreSQL has a user of its own.
        os.chmod(folder, 0o755)
        place = os.path.join(folder, "pg")
        keeper = subprocess.Popen(["sleep", str(WORK_SECONDS)])
        try:
            outcome = subprocess.run(
                [START, place, str(keeper.pid), "shared_buffers=256MB", "max_wal_size=4GB"],
                capture_output=True, text=True, timeout=WORK_SECONDS, check=False)
            if outcome.returncode != 0:
                raise Failure(f"PostgreSQL does not start:\n{outcome.stderr}")
            with open(os.path.join(place, "data", "postmaster.pid"), encoding="ascii") as file:
                postmaster = int(file.readline())
            yield f"postgres:///postgres?host={place}&user=postgres", postmaster
        finally:
            keeper.kill()
            keeper.wait()
            _wait_until_gone(place)


def _wait_until_gone(place):
    """`start` stops the database when the keeper has ended."""
    deadline = time.monotonic() + 30
    while os.path.exists(os.path.join(place, "data", "postmaster.pid")):
        if time.monotonic() > deadline:
            raise Failure("PostgreSQL does not stop")
        time.sleep(0.1)
