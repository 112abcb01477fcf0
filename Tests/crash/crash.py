#!/usr/bin/env python3
"""Kills the server at any moment of what it does, starts it again, and compares what it has with what it said.

Invariant: what was acknowledged is there unless it was erased, once, as it was sent; what was erased never comes back,
and after a compaction no byte of it is left; numbers rise; the store is sound. What had no answer may be either.
A failure says seed and step, and leaves the folder; the same seed makes the same choices, not the same moments.

    crash.py [--kills N] [--seed N] [--folder FOLDER] [--without OPERATION]...
"""

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# pylint: disable=wrong-import-position
from files import expect_lines, expect_nowhere
from history import DAY, History, milliseconds
from program import BINARY, LOST, Client, Fault, Program, configuration, free_port, leave_nothing_running
from work import API, Work

# Kills of one data folder: the first ones amid imports of the past, the others amid callbacks too.
KILLS_OF_A_FOLDER = 25
SHARE_OF_THE_PAST = 0.4
CLIENTS = 5
# While an index is made anew.
READY_SECONDS = 20


class Store:
    """One data folder, through many processes."""

    def __init__(self, folder, rng, totals, without=()):
        self.folder, self.rng, self.totals, self.without = folder, rng, totals, without
        self.data = os.path.join(folder, "data")
        retention = rng.choice([{}, {}, {}, {"inbox_results": 300}, {"days": 30}])
        self.history = History(retention)
        pause = rng.choice([0, 100, 30_000])
        self.config = configuration(folder, "results: " + json.dumps({
            "segment_bytes": 1_048_576, "compaction_milliseconds": pause,
            **({"retention": retention} if retention else {})}) + "\n")
        self.day = milliseconds() // DAY * DAY - 60 * DAY
        self.port = free_port()
        self.program = None
        self.processes = []

    # --- One process after another ------------------------------------------------------------------

    def start(self):
        began = time.monotonic()
        self.program = Program(self.config, self.data, self.port)
        self.processes = [self.program]
        self.program.wait_until_ready()
        self.totals["starts"].append(time.monotonic() - began)

    def kill(self):
        for process in self.processes:
            if not process.has_ended():
                process.kill()
        self.totals["kills"] += 1

    def step(self, is_past):
        """Work until a kill, in one of several ways; then what is there is looked at."""
        rng = self.rng
        if rng.random() < 0.15:
            self.kill_at_start()
        self.start()
        self.look()
        if is_past:
            self.day += rng.choice([0, 1, 1, 3]) * DAY
        work = Work(self.history, rng.random(), self.day if is_past else None, self.without)
        work.start(self.port, CLIENTS)
        way = rng.random()
        try:
            time.sleep(rng.uniform(0.03, 0.35))
            if way < 0.08:
                self.take_over(rng)
            for process in self.processes[-1:]:
                process.expect_running()
            if way < 0.97:
                self.kill()
        finally:
            work.stop()
            for name, count in work.done.items():
                self.totals["work"][name] = self.totals["work"].get(name, 0) + count
        if way >= 0.97:
            self.stop()
        elif way < 0.04:
            self.drop_index()

    def kill_at_start(self):
        self.program = Program(self.config, self.data, self.port)
        self.processes = [self.program]
        time.sleep(self.rng.uniform(0, 0.08))
        self.program.expect_running()
        self.kill()

    def take_over(self, rng):
        """The kill comes before, amid or after it; after it, the former process has to end."""
        former = self.program
        self.program = Program(self.config, self.data, self.port, "--take-over")
        self.processes.append(self.program)
        self.totals["takeovers"] += 1
        if rng.random() < 0.5:
            time.sleep(rng.uniform(0, 0.15))
            return
        self.program.wait_until_ready()
        if code := former.wait_until_gone():
            raise Fault(f"the former server ended with {code}: {former.text()[-2000:]}")
        time.sleep(rng.uniform(0, 0.2))

    def drop_index(self):
        for suffix in ["", "-wal", "-shm"]:
            if os.path.exists(path := os.path.join(self.data, "index.sqlite" + suffix)):
                os.remove(path)

    def stop(self):
        if code := self.program.stop():
            raise Fault(f"the server ended with {code} when it was to stop: {self.program.text()[-2000:]}")

    # --- What is there ------------------------------------------------------------------------------

    def rows(self, client):
        """All results by their token."""
        deadline = time.monotonic() + READY_SECONDS
        path = f"{API}/results?fields=id,seq,inbox,request.target"
        while True:
            status, text = client.ask("GET", path, headers={"Accept": "application/x-ndjson"})
            if status == 200:
                break
            if status != 503 or time.monotonic() > deadline:
                raise Fault(f"the list of all results got {status}: {text[:500]}")
            time.sleep(0.05)
        rows, ids, numbers = {}, set(), set()
        for line in text.splitlines():
            row = json.loads(line)
            token = row["request"]["target"].rpartition("t=")[2]
            if token in rows or row["id"] in ids or row["seq"] in numbers:
                raise Fault(f"{token}, its id or its number is there twice: {row}")
            rows[token] = row
            ids.add(row["id"])
            numbers.add(row["seq"])
        return rows

    def look(self):
        client = Client(self.port)
        try:
            rows = self.rows(client)
            self.history.look(rows, milliseconds())
            report = client.json("POST", f"{API}/store/verify")
        except LOST as lost:
            self.program.expect_running()
            raise Fault(f"no answer while nothing else is asked: {lost!r}") from lost
        finally:
            client.close()
        if not report["sound"]:
            raise Fault(f"not sound: {json.dumps(report)[:3000]}")

    def finish(self):
        """Compacts, stops, and looks at every byte; then with an index made anew."""
        self.start()
        self.look()
        work = Work(self.history, self.rng.random(), without=self.without)
        work.start(self.port, CLIENTS)
        time.sleep(0.3)
        work.stop()
        self.look()
        client = Client(self.port, 60)
        # What expires with the first goes with the second.
        for _ in range(2):
            report = client.json("POST", f"{API}/store/compact")
            if report["failures"]:
                raise Fault(f"compaction: {report}")
        client.close()
        self.look()
        tokens, names = self.history.unwelcome()
        unwelcome = tokens, set() if "names" in self.without else names
        expect_nowhere(self.data, *unwelcome)
        self.stop()
        expect_nowhere(self.data, *unwelcome)
        self.totals["lines"] += expect_lines(self.data)
        self.verify()
        if self.rng.random() < 0.3:
            self.drop_index()
            self.start()
            self.look()
            self.stop()
        self.totals["compressed"] += sum(name.endswith(".gz") for name in os.listdir(f"{self.data}/results"))

    def verify(self):
        ended = subprocess.run([BINARY, "results", "verify", "--data", self.data], capture_output=True, check=False)
        if ended.returncode:
            raise Fault(f"landfall results verify ends with {ended.returncode}: {ended.stdout[-2000:]!r}")


def run(arguments, folder):
    """Everything; returns the totals, raises a fault with the step in it."""
    totals = {"kills": 0, "takeovers": 0, "lines": 0, "compressed": 0, "starts": [], "work": {}, "counts": {}}
    number = 0
    while totals["kills"] < arguments.kills:
        number += 1
        rng = random.Random(f"{arguments.seed}-{number}")
        store = Store(os.path.join(folder, f"store-{number}"), rng, totals, arguments.without)
        first, count = totals["kills"], min(KILLS_OF_A_FOLDER, arguments.kills - totals["kills"])
        try:
            while totals["kills"] < first + count:
                store.step(is_past=totals["kills"] < first + count * SHARE_OF_THE_PAST)
            store.finish()
        except Fault as fault:
            raise Fault(f"store {number}, after kill {totals['kills']}: {fault}") from fault
        finally:
            for process in store.processes:
                if not process.has_ended():
                    process.kill()
        for name, counted in store.history.counts.items():
            totals["counts"][name] = totals["counts"].get(name, 0) + counted
        shutil.rmtree(store.folder)
        if number % 4 == 0:
            print(f"{totals['kills']} kills, {totals['counts']}", flush=True)
    return totals


def main():
    leave_nothing_running()
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000_000))
    parser.add_argument("--folder")
    parser.add_argument("--without", action="append", default=[])
    arguments = parser.parse_args()
    folder = arguments.folder or tempfile.mkdtemp(prefix="landfall-crash-")
    print(f"seed {arguments.seed}, {arguments.kills} kills, in {folder}", flush=True)
    began = time.monotonic()
    try:
        totals = run(arguments, folder)
    except Fault as fault:
        print(f"FAULT: seed {arguments.seed}, {fault}\nThe folder is kept: {folder}", file=sys.stderr)
        return 1
    starts = sorted(totals.pop("starts"))
    print(f"{totals['kills']} kills in {time.monotonic() - began:.0f} s, {totals['takeovers']} takeovers, "
          f"{totals['lines']} lines and {totals['compressed']} compressed segments at the ends; starts: median "
          f"{statistics.median(starts) * 1000:.0f} ms, longest {starts[-1] * 1000:.0f} ms")
    print("  " + ", ".join(f"{count} {name}" for name, count in totals["counts"].items()))
    print("  " + ", ".join(f"{count} {name}" for name, count in sorted(totals["work"].items())))
    if not arguments.folder:
        shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
