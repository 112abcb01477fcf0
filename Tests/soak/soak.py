#!/usr/bin/env python3
"""Serves honest clients beside every attack, in turn and together, and measures both.

Invariant: fails when the process ended, when what was acknowledged is not found, when honest clients were not served
well enough (see the bounds below), or when memory, descriptors or threads grew or stayed.

    soak.py [--minutes N] [--descriptors N] [--rate N] [--folder FOLDER] [--only ATTACK]...
"""

import argparse
import asyncio
import collections
import contextlib
import importlib.util
import json
import multiprocessing
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# pylint: disable=wrong-import-position
import attacks
from honest import API, HEARD, INBOXES, Honest
from program import BINARY, HOST, LOST, Client, Fault, Program, configuration, free_port, leave_nothing_running

# Bounds; generous, because attackers and clients have the same processors as the server.
MOST_RESIDENT_MB = 256
WORST_P99_SECONDS = 2.0
LEAST_SERVED = 0.9
# Descriptors and threads that may be left when the attacks are over.
DESCRIPTORS_LEFT = 40
THREADS_LEFT = 8
# Shares of the time: honest clients alone, attacks in turn, all together; the rest is quiet again.
ALONE, IN_TURN, TOGETHER = 0.05, 0.55, 0.2


def chosen(names):
    """The attacks of both files."""
    functions = list(attacks.ATTACKS)
    if importlib.util.find_spec("attacks_memory"):
        functions += importlib.import_module("attacks_memory").ATTACKS
    return [function for function in functions if not names or function.__name__ in names]


class Attack(multiprocessing.Process):
    """One attack, repeated until it is ended, below the priority of those that are measured."""

    def __init__(self, function, port):
        super().__init__(daemon=True)
        self.function, self.port = function, port

    def run(self):
        os.nice(5)
        while True:
            try:
                asyncio.run(self.function(HOST, self.port))
            except OSError:
                pass
            time.sleep(0.2)

    def end(self):
        self.kill()
        self.join()


class Samples(threading.Thread):
    """What the process and its folder have, each second."""

    def __init__(self, program, data):
        super().__init__(daemon=True)
        self.program, self.data = program, data
        self.rows, self.ending = [], threading.Event()

    def run(self):
        while not self.ending.wait(1):
            if self.program.has_ended():
                return
            try:
                self.rows.append(self.row())
            except OSError:
                return

    def row(self):
        root = f"/proc/{self.program.pid}"
        with open(f"{root}/status", encoding="ascii", errors="replace") as file:
            status = dict(line.split(":", 1) for line in file)
        return {"time": time.monotonic(), "resident_mb": int(status["VmRSS"].split()[0]) / 1024,
                "descriptors": len(os.listdir(f"{root}/fd")), "threads": int(status["Threads"]),
                "files": sum(len(names) for _, _, names in os.walk(self.data))}

    def between(self, begin, end):
        return [row for row in self.rows if begin <= row["time"] < end]


class Soak:
    """One server from its start to its end."""

    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        self.data = os.path.join(folder, "data")
        self.port = free_port()
        self.phases, self.faults = [], []

    def run(self):
        config, tls = configuration(self.folder, ""), os.path.join(self.folder, "tls")
        subprocess.run([BINARY, "certs", "init", "--config", config, "--folder", tls], stdout=subprocess.DEVNULL,
                       check=True)
        attacks.TLS_PORT = free_port()
        program = self.program = Program(
            config, self.data, self.port, "--tls-port", str(attacks.TLS_PORT), "--tls-folder", tls,
            descriptors=self.arguments.descriptors)
        try:
            program.wait_until_ready()
            self.samples = Samples(program, self.data)
            self.samples.start()
            honest = Honest(self.port, self.arguments.rate)
            honest.start()
            self.attack(self.arguments.minutes * 60)
            self.seen = honest.end()
            self.samples.ending.set()
            self.samples.join()
            self.check_running()
        finally:
            if not program.has_ended():
                program.kill()

    def attack(self, seconds):
        functions = chosen(self.arguments.only)
        self.phase("alone", seconds * ALONE, [])
        for function in functions:
            self.phase(function.__name__, seconds * IN_TURN / len(functions), [function])
        self.phase("all together", seconds * TOGETHER, functions)
        self.phase("quiet again", seconds * (1 - ALONE - IN_TURN - TOGETHER), [])

    def phase(self, name, seconds, functions):
        if self.program.has_ended():
            return
        running = [Attack(function, self.port) for function in functions]
        began = time.monotonic()
        for attack in running:
            attack.start()
        time.sleep(seconds)
        for attack in running:
            attack.end()
        self.phases.append((name, began, time.monotonic()))
        self.clean()

    def clean(self):
        """Erases what attacks have stored most of, so that the disk doesn't fill."""
        client = Client(self.port, 60)
        with contextlib.suppress(*LOST):
            for inbox in ["large", "stalled", "dripped", "inflated", "erased"]:
                client.ask("DELETE", f"{API}/inboxes/{inbox}")
        client.close()

    # --- Judging ------------------------------------------------------------------------------------

    def check_running(self):
        try:
            self.program.expect_running()
            self.check_acknowledged()
            if code := self.program.stop():
                raise Fault(f"it ended with {code} when it was to stop: {self.program.text()[-2000:]}")
            ended = subprocess.run([BINARY, "results", "verify", "--data", self.data], capture_output=True, check=False)
            if ended.returncode:
                raise Fault(f"landfall results verify ends with {ended.returncode}: {ended.stdout[-2000:]!r}")
        except Fault as fault:
            self.faults.append(str(fault))

    def check_acknowledged(self):
        client = Client(self.port, 120)
        found = set()
        for inbox in [HEARD, *INBOXES]:
            status, text = client.ask("GET", f"{API}/results?inbox={inbox}&fields=id",
                                      headers={"Accept": "application/x-ndjson"})
            if status != 200:
                raise Fault(f"the list of {inbox} got {status}: {text[:500]}")
            lines = [json.loads(line)["id"] for line in text.splitlines()]
            if len(lines) != len(set(lines)):
                raise Fault(f"{inbox} holds something twice")
            found.update(lines)
        client.close()
        lost = [id for _, id in self.seen["acknowledged"] if id not in found]
        if lost:
            raise Fault(f"{len(lost)} of {len(self.seen['acknowledged'])} acknowledged callbacks are lost: {lost[:3]}")

    def table(self):
        """Prints what was measured, and adds what is beyond the bounds to the faults."""
        print(f"{'phase':22} {'kept: p50':>9} {'p99':>8} {'worst':>8} {'new: p50':>9} {'p99':>8} {'served':>7} "
              f"{'RSS max':>8} {'fd':>6} {'thr':>4} {'files':>6}  not served")
        for name, begin, end in self.phases:
            mine = [sample for sample in self.seen["samples"] if begin <= sample[0] < end]
            rows = self.samples.between(begin, end)
            kept, new = ([s[3] for s in mine if s[2] is is_kept and s[4] == "served" and s[1] != "wait"]
                         for is_kept in (True, False))
            errors = collections.Counter(f"{s[1]}, {'kept' if s[2] else 'new'}: {s[4]}"
                                         for s in mine if s[4] != "served")
            of_kept = [s for s in mine if s[2]]
            served = sum(s[4] == "served" for s in of_kept) / max(1, len(of_kept))
            print(f"{name:22} {spread(kept, 0.5):>9} {spread(kept, 0.99):>8} {spread(kept, 1):>8} "
                  f"{spread(new, 0.5):>9} {spread(new, 0.99):>8} {served:>7.2%} "
                  f"{most(rows, 'resident_mb'):>8.0f} {most(rows, 'descriptors'):>6.0f} {most(rows, 'threads'):>4.0f} "
                  f"{most(rows, 'files'):>6.0f}  {dict(errors) or ''}")
            if kept and quantile(kept, 0.99) > WORST_P99_SECONDS:
                self.faults.append(f"{name}: p99 of kept connections is {quantile(kept, 0.99):.1f} s")
            if served < LEAST_SERVED:
                self.faults.append(f"{name}: {served:.1%} of what was asked on kept connections was served")
            late = sum(s[2] and s[4] == "no answer" for s in mine)
            if late:
                self.faults.append(f"{name}: {late} requests on kept connections had no answer in time")
        self.check_flat()

    def check_flat(self):
        begin, end = self.phases[0], self.phases[-1]
        before = self.samples.between(begin[1], begin[2])
        after = self.samples.between(end[2] - (end[2] - end[1]) / 2, end[2])
        resident = most(self.samples.rows, "resident_mb")
        print(f"resident: {resident:.0f} MB at most, {most(after, 'resident_mb'):.0f} MB at the end")
        for name, left in [("descriptors", DESCRIPTORS_LEFT), ("threads", THREADS_LEFT)]:
            least = min((row[name] for row in after), default=0)
            print(f"{name}: {most(before, name):.0f} before, {most(self.samples.rows, name):.0f} at most, "
                  f"{least} left, slope {slope(after, name):+.2f} a minute")
            if least > most(before, name) + left:
                self.faults.append(f"{least} {name} are left, of {most(before, name):.0f} before")
        seen = self.seen
        print(f"stream: {seen['connections']} connections, {seen['gaps']} gaps, {seen['twice']} twice, "
              f"{seen['unheard']} unheard; {len(seen['acknowledged'])} callbacks acknowledged; "
              f"log: {os.path.getsize(self.program.log) / 1024:.0f} kB")
        if resident > MOST_RESIDENT_MB:
            self.faults.append(f"{resident:.0f} MB were resident")
        if self.seen["twice"] or (self.seen["unheard"] and not self.seen["gaps"]):
            self.faults.append("the stream had results twice, or lacks some without a gap")


def quantile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def spread(values, share):
    return f"{quantile(values, share) * 1000:.1f} ms" if values else "none"


def most(rows, name):
    return max((row[name] for row in rows), default=0)


def slope(rows, name):
    """Change a minute, by the method of least squares."""
    if len(rows) < 2:
        return 0.0
    times = [row["time"] for row in rows]
    return statistics.linear_regression(times, [row[name] for row in rows]).slope * 60


def main():
    leave_nothing_running()
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--descriptors", type=int, default=1024)
    parser.add_argument("--rate", type=float, default=300)
    parser.add_argument("--folder")
    parser.add_argument("--only", action="append", default=[])
    arguments = parser.parse_args()
    folder = arguments.folder or tempfile.mkdtemp(prefix="landfall-soak-")
    print(f"{arguments.minutes:g} minutes, {arguments.descriptors} descriptors, in {folder}", flush=True)
    soak = Soak(arguments, folder)
    try:
        soak.run()
        soak.table()
    except Fault as fault:
        soak.faults.append(str(fault))
    for fault in soak.faults:
        print(f"FAULT: {fault}", file=sys.stderr)
    if soak.faults:
        print(f"The folder is kept: {folder}", file=sys.stderr)
        return 1
    if not arguments.folder:
        shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
