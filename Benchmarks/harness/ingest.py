"""Taking in callbacks of all vendors for long: how fast, and whether the index keeps up."""

import gzip
import math
import os
import time
from dataclasses import dataclass

from harness import load, processes, questions, results
from harness.failure import Failure
from harness.stage import progress, started

CONNECTIONS = 256
TOTAL_RESULTS, QUICK_TOTAL_RESULTS = 1_000_000, 100_000
LONGEST_SECONDS = 600
BODIES = 4000
"""Different callbacks that are sent in turn."""


@dataclass(frozen=True)
class Figures:
    """What was measured."""

    run: load.Run
    """The sustained run."""
    mean_bytes: float
    """Of a stored line."""
    lag_milliseconds: float
    """How long the first question after it waited for its answer, and so for the index."""
    total_results: int
    total_bytes: int
    """Resident memory after so many, when the server has gone quiet."""


class Callbacks:
    """Callbacks as fast as they are acknowledged, then at once a question about the last."""

    def __init__(self, folder):
        self._path = os.path.join(folder, "callbacks.tsv")
        results.write_callbacks(self._path, BODIES)
        self.lag_milliseconds = 0
        """What the question of the last load took."""

    def put_on(self, server, seconds):
        """Loads the server."""
        outcome = load.Requests("/", CONNECTIONS, mixture=self._path).put_on(server, seconds)
        with questions.Client(server) as client:
            start = time.perf_counter()
            client.json(questions.RESULTS + "?limit=1")
            self.lag_milliseconds = (time.perf_counter() - start) * 1e3
        return outcome


def measure(scenario, plan):
    """`Figures` of Landfall."""
    with started(scenario, plan) as (server,):
        callbacks = Callbacks(server.folder)
        progress("ingest: warming")
        answered = load.run(server, callbacks, 1).requests
        seconds = plan.ingest_seconds
        progress(f"ingest: {seconds} s")
        run = load.run(server, callbacks, seconds)
        lag = callbacks.lag_milliseconds
        answered += run.requests
        total = QUICK_TOTAL_RESULTS if plan.is_quick else TOTAL_RESULTS
        deadline = time.monotonic() + LONGEST_SECONDS
        while answered < total and time.monotonic() < deadline:
            progress(f"ingest: {answered:,} of {total:,}")
            rest = math.ceil((total - answered) / run.requests_per_second) + 1
            answered += load.run(server, callbacks, min(60, rest)).requests
        processes.settled_cpu_seconds(server.pid)
        resident = processes.resident_bytes(server.pid)
        size = _check_stored(server, answered)
        return Figures(run, size / answered, lag, answered, resident)


def _check_stored(server, answered):
    """Every callback that was answered is in the index and on disk; the size in bytes of all."""
    with questions.Client(server) as client:
        newest, = client.json(questions.RESULTS + "?limit=1")["results"]
    lines, size = 0, 0
    folder = os.path.join(server.folder, "data", "results")
    for entry in os.scandir(folder):
        if entry.is_file():
            with (gzip.open if entry.name.endswith(".gz") else open)(entry.path, "rb") as file:
                while block := file.read(1 << 20):
                    lines, size = lines + block.count(b"\n"), size + len(block)
    if lines < answered or newest["seq"] < answered:
        raise Failure(
            f"landfall answered {answered} callbacks, stored {lines} and found {newest['seq']}")
    return size
