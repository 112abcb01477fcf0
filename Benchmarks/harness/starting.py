"""Starts with an empty store: how soon it listens, and its memory then and after some callbacks."""

import os
import statistics
import subprocess
from dataclasses import dataclass

from harness import load, materials, processes
from harness.failure import Failure
from harness.stage import progress, scratch_folder, started

STARTS, QUICK_STARTS = 20, 5
CALLBACKS = 10_000
CONNECTIONS = 64
LOAD_SECONDS = 2
MOST_LOADS = 30


@dataclass(frozen=True)
class Spread:
    """The median and the greatest of the starts' figures."""

    median: float
    most: float


@dataclass(frozen=True)
class Figures:
    """What was measured."""

    starts: int
    listen_milliseconds: Spread
    """From the start of the process to its first connection."""
    idle_bytes: Spread
    """Resident memory once it has gone quiet."""
    used_bytes: Spread
    """The same after `CALLBACKS`."""
    stripped_bytes: int
    """Of the program without symbols."""


def measure(scenario, plan):
    """`Figures` of Landfall."""
    stripped = _stripped_bytes(plan.programs["landfall"])
    starts = QUICK_STARTS if plan.is_quick else STARTS
    listening, idle, used = [], [], []
    for number in range(1, starts + 1):
        with started(scenario, plan) as (server,):
            processes.settled_cpu_seconds(server.pid)
            listening.append((server.listening_at - server.started_at) * 1e3)
            idle.append(processes.resident_bytes(server.pid))
            _load(server)
            processes.settled_cpu_seconds(server.pid)
            used.append(processes.resident_bytes(server.pid))
            server.check_running()
        progress(
            f"start: {number} of {starts}: {listening[-1]:.0f} ms, {idle[-1] / 1e6:.1f} MB, then "
            f"{used[-1] / 1e6:.1f} MB")
    spreads = (Spread(statistics.median(all_), max(all_)) for all_ in (listening, idle, used))
    return Figures(starts, *spreads, stripped)


def _load(server):
    left = CALLBACKS
    for _ in range(MOST_LOADS):
        work = load.Requests(
            materials.CALLBACK_PATH, CONNECTIONS, materials.CALLBACK_FORM, limit=left)
        left -= work.put_on(server, LOAD_SECONDS).requests
        if left <= 0:
            return
    raise Failure(f"landfall takes too long for {CALLBACKS} callbacks")


def _stripped_bytes(program):
    with scratch_folder() as folder:
        path = os.path.join(folder, "stripped")
        outcome = subprocess.run(
            ["strip", "-o", path, program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, check=False)
        if outcome.returncode != 0:
            raise Failure(f"strip fails on {program}:\n{outcome.stdout}")
        return os.path.getsize(path)
