"""What the libraries cost by themselves: a program that measures its own CPU time."""

import json
import os
import subprocess
import time
from dataclasses import dataclass

from harness import processes
from harness.failure import Failure
from harness.stage import progress

PROGRAM = "landfall-library-bench"
TURNS = 3
"""Measurements of everything in a round of the plan: they are short."""
WORK_SECONDS = 600


@dataclass(frozen=True)
class Row:
    """One thing that was measured."""

    what: str
    unit: str
    figure: float
    """The median of its measurements."""
    peer: str | None
    """Who does the same otherwise, if anybody does."""
    peer_figure: float | None


@dataclass(frozen=True)
class Figures:
    """What was measured in one run of the program."""

    rows: dict
    """`Row` by name."""
    others_share: float
    """Share of the machine's CPU time that other programs used."""


def measure(_scenario, plan):
    """`Figures` of all rows."""
    progress("library: measuring")
    command = [plan.programs[PROGRAM], str(plan.rounds * TURNS)]
    start, busy, own = time.monotonic(), processes.machine_busy_seconds(), _children_seconds()
    outcome = subprocess.run(
        command, capture_output=True, text=True, timeout=WORK_SECONDS, check=False)
    if outcome.returncode != 0:
        raise Failure(f"{PROGRAM} failed:\n{outcome.stdout}{outcome.stderr}")
    others = processes.machine_busy_seconds() - busy - (_children_seconds() - own)
    return Figures(
        rows={row["name"]: _row(row) for row in json.loads(outcome.stdout)["rows"]},
        others_share=max(0, others) / (time.monotonic() - start) / os.cpu_count())


def _row(row):
    peer = row.get("peer") or {}
    return Row(row["what"], row["unit"], row["figure"], peer.get("name"), peer.get("figure"))


def _children_seconds():
    times = os.times()
    return times.children_user + times.children_system
