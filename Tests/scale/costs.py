"""Parts that measure: what a callback costs with 1, 2 and 4 instances, and how soon pages of a large store come.

Both print a table, beside files and SQLite in the same run. Left out: budgets; of a machine that is shared, ratios say
more than figures.
"""

import concurrent.futures
import json
import os
import re
import statistics
import subprocess
import sys
import time

from database import Database, address
from fleet import Fleet
from ledger import API
from program import HOST, REPOSITORY, Client, Fault
from progress import progress

sys.path.insert(0, os.path.join(REPOSITORY, "Benchmarks"))

# pylint: disable=wrong-import-position
from harness import processes, questions, results, store
from harness.failure import Failure

COUNTS = (1, 2, 4)
CONNECTIONS = 64
SCRIPT = os.path.join(REPOSITORY, "Benchmarks", "load.lua")
FORM = os.path.join(REPOSITORY, "Benchmarks", "callback.form")
INBOX = "/callbacks/dimmy"
QUIET_SECONDS = 1
# A part of an import.
IMPORT_BYTES = 8 * 1024 * 1024
IMPORT_SECONDS = 600
DAYS = 20


def newest(port):
    """The number of the last result."""
    client = Client(port)
    found = client.json("GET", f"{API}/results?limit=1")["results"]
    client.close()
    return found[0]["seq"] if found else 0


# --- Callbacks ----------------------------------------------------------------------------------------


def load(port, connections, seconds):
    """wrk's p99 in milliseconds; a fault if a callback was refused."""
    ended = subprocess.run(
        ["wrk", "--threads", "1", "--connections", str(connections), "--duration", f"{seconds}s", "--timeout", "5s",
         "--script", SCRIPT, f"http://{HOST}:{port}{INBOX}", "--", "form", FORM],
        capture_output=True, text=True, timeout=seconds + 30, check=False)
    found = re.search(r"^figures (.+)$", ended.stdout, re.MULTILINE)
    if ended.returncode or not found:
        raise Fault(f"wrk fails: {ended.stdout}{ended.stderr}")
    figures = [float(figure) for figure in found.group(1).split()]
    if figures[2] or figures[3] or not figures[0]:
        raise Fault(f"wrk: {figures[0]:.0f} requests, {figures[2]:.0f} refused, {figures[3]:.0f} lost")
    return figures[5]


def settled(read):
    """A CPU time once it hardly grows: work that was put off counts too."""
    deadline, before = time.monotonic() + 30, read()
    while time.monotonic() < deadline:
        time.sleep(QUIET_SECONDS)
        now = read()
        if now - before < 0.02 * QUIET_SECONDS:
            return now
        before = now
    return before


def measure(fleet, database, seconds):
    """Callbacks/s, p99, and microseconds of CPU a callback: of the instances and of the database."""
    def own():
        return sum(processes.cpu_seconds(pid) for pid in fleet.pids)

    def its():
        return database.cpu_seconds() if database else 0.0

    stored, before = newest(fleet.ports[0]), (settled(own), its())
    began = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(len(fleet.ports)) as pool:
        share = CONNECTIONS // len(fleet.ports)
        slowest = max(pool.map(lambda port: load(port, share, seconds), fleet.ports))
    lasted = time.monotonic() - began
    after = settled(own), its()
    count = newest(fleet.ports[0]) - stored
    fleet.expect_running()
    return (count / lasted, slowest, (after[0] - before[0]) / count * 1e6, (after[1] - before[1]) / count * 1e6)


def cost(folder, size):
    """Takes turns, round after round; medians count."""
    database = Database(os.path.join(folder, "database"), ["shared_buffers = '512MB'", "max_wal_size = '4GB'"])
    figures = {}
    try:
        for turn in range(size.rounds):
            for count in (0, *COUNTS):
                label = f"PostgreSQL, {count}" if count else "files and SQLite, 1"
                progress(f"round {turn + 1} of {size.rounds}: {label}")
                name = f"cost{count}x{turn}"
                settings = {"store": address(database, name=database.create(name))} if count else {}
                with Fleet(os.path.join(folder, name), count or 1, **settings) as fleet:
                    load(fleet.ports[0], CONNECTIONS, 1)
                    found = measure(fleet, database if count else None, size.load_seconds)
                figures.setdefault(label, []).append(found)
    finally:
        database.stop()
    rows = [[label, *(statistics.median(column) for column in zip(*found))] for label, found in figures.items()]
    return table(
        ["store, instances", "callbacks/s", "p99 ms", "CPU µs: Landfall", "PostgreSQL", "both"],
        [[label, f"{rate:,.0f}", f"{p99:.1f}", f"{own:.0f}", f"{its:.0f}", f"{own + its:.0f}"]
         for label, rate, p99, own, its in rows])


def table(header, rows):
    widths = [max(len(row[index]) for row in [header, *rows]) for index in range(len(header))]
    return "\n    ".join("  ".join(
        cell.ljust(width) if index == 0 else cell.rjust(width)
        for index, (cell, width) in enumerate(zip(row, widths))) for row in [header, *rows])


# --- Pages --------------------------------------------------------------------------------------------


class Asked:
    """An instance as `questions` and `store` of the benchmarks want it."""

    def __init__(self, fleet):
        self.port, self.pid = fleet.ports[0], fleet.pids[0]


def fill(fleet, folder, count):
    """Imports the made-up results of a folder, in parts."""
    client, imported = Client(fleet.ports[0], IMPORT_SECONDS), 0

    def send(part):
        report = client.json("POST", f"{API}/import", part, {"Content-Type": "application/x-ndjson"})
        return report["imported"]

    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        with open(entry.path, "rb") as file:
            while part := file.read(IMPORT_BYTES):
                imported += send(part + file.readline())
                progress(f"imported {imported:,} of {count:,}")
    client.close()
    if imported != count:
        raise Fault(f"{imported:,} of {count:,} results were imported")


def wait_for_index(fleet):
    """Returns when a store in files has made its index."""
    client, deadline = Client(fleet.ports[0]), time.monotonic() + IMPORT_SECONDS
    while client.ask("GET", f"{API}/results?limit=1")[0] == 503:
        if time.monotonic() > deadline:
            raise Fault("the index is not made in time")
        time.sleep(0.1)
    client.close()


def pages(folder, size):
    """The questions of `make bench`, to the same results in both stores."""
    count = size.rows
    progress(f"writing {count:,} results")
    data = os.path.join(folder, "files", "instance-0", "data")
    results.generate(data, count, DAYS)
    samples = store.Samples(os.path.join(data, "results"))
    database = Database(os.path.join(folder, "database"), ["shared_buffers = '1GB'", "max_wal_size = '8GB'"])
    found = {}
    try:
        with Fleet(os.path.join(folder, "shared"), 1, store=address(database)) as fleet:
            began = time.monotonic()
            fill(fleet, os.path.join(data, "results"), count)
            rate = count / (time.monotonic() - began)
            database.sql("VACUUM ANALYZE")
            found["PostgreSQL"] = questions.ask_all(Asked(fleet), samples)
            megabytes = int(database.sql("SELECT pg_database_size('postgres')")) / 1e6
        with Fleet(os.path.join(folder, "files"), 1) as fleet:
            wait_for_index(fleet)
            found["files"] = questions.ask_all(Asked(fleet), samples)
    except Failure as failure:
        raise Fault(str(failure)) from failure
    finally:
        database.stop()
    first, second = found.values()
    rows = [[kind, *(f"{figure:.2f}" for one in (first[kind], second[kind])
                     for figure in (one.p50_milliseconds, one.p99_milliseconds))] for kind in first]
    return f"{count:,} results, imported at {rate:,.0f}/s, {megabytes:,.0f} MB\n    " + table(
        ["pages of 50", "PostgreSQL: p50 ms", "p99", "files: p50 ms", "p99"], rows)
