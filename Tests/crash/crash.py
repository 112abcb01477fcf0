#!/usr/bin/env python3
"""Kills the server at any moment of what it does, or lets its system calls fail, and compares what it has with what it
said.

Invariant: what was acknowledged is there unless it was erased, once, as it was sent; what was erased never comes back,
and after a compaction no byte of it is left; numbers rise; the store is sound. What had no answer may be either.
A failure says seed and step, and leaves the folder; the same seed makes the same choices, not the same moments.

    crash.py [--kills N] [--failures N] [--seed N] [--folder FOLDER] [--without OPERATION]...
"""

import argparse
import os
import random
import shutil
import statistics
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# pylint: disable=wrong-import-position
from failing import FailingStore
from program import Fault, leave_nothing_running
from store import Store

# The first steps of a folder are amid imports of the past, the others amid callbacks too.
SHARE_OF_THE_PAST = 0.4
LOG_CHARACTERS = 2000


def run(kind, steps, seed, folder, without):
    """Everything of one kind, each data folder with the next seed; raises a fault with the seed in it."""
    totals = {"steps": 0, "takeovers": 0, "failed": 0, "lines": 0, "compressed": 0, "starts": [], "work": {},
              "counts": {}}
    while totals["steps"] < steps:
        store = kind(os.path.join(folder, f"store-{seed}"), random.Random(seed), totals, without)
        count = min(kind.STEPS, steps - totals["steps"])
        step = 0
        try:
            for step in range(count):
                store.step(is_past=step < count * SHARE_OF_THE_PAST)
                totals["steps"] += 1
            store.finish()
        except Fault as fault:
            log = store.processes[-1].text()[-LOG_CHARACTERS:] if store.processes else ""
            raise Fault(f"seed {seed}, step {step}, {store.story()}: {fault}\nThe end of the log:\n{log}") from fault
        finally:
            store.end()
        for name, counted in store.history.counts.items():
            totals["counts"][name] = totals["counts"].get(name, 0) + counted
        shutil.rmtree(store.folder)
        seed += 1
        print(f"{totals['steps']} steps, {totals['counts']}", flush=True)
    return totals


def report(what, totals, seconds):
    starts = sorted(totals["starts"])
    print(f"{totals['steps']} {what} in {seconds:.0f} s, {totals['takeovers']} takeovers, "
          f"{totals['failed']} failed calls, {totals['lines']} lines and {totals['compressed']} compressed segments "
          f"at the ends; starts: median {statistics.median(starts) * 1000:.0f} ms, longest {starts[-1] * 1000:.0f} ms")
    print("  " + ", ".join(f"{count} {name}" for name, count in totals["counts"].items()))
    print("  " + ", ".join(f"{count} {name}" for name, count in sorted(totals["work"].items())))


def main():
    leave_nothing_running()
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--failures", type=int, default=300)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000_000))
    parser.add_argument("--folder")
    parser.add_argument("--without", action="append", default=[])
    arguments = parser.parse_args()
    folder = arguments.folder or tempfile.mkdtemp(prefix="landfall-crash-")
    print(f"seed {arguments.seed}, in {folder}", flush=True)
    try:
        for what, kind, steps in [("kills", Store, arguments.kills),
                                  ("rounds of failing calls", FailingStore, arguments.failures)]:
            if steps:
                began = time.monotonic()
                totals = run(kind, steps, arguments.seed, folder, arguments.without)
                report(what, totals, time.monotonic() - began)
    except Fault as fault:
        print(f"FAULT: {fault}\nThe folder is kept: {folder}", file=sys.stderr)
        return 1
    if not arguments.folder:
        shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
