"""One data folder of the server, through many processes: started, killed, looked at.

Invariant: every look compares all results with the history, and has the store verified. Left out: how calls fail.
"""

import json
import os
import subprocess
import time

from files import expect_lines, expect_nowhere
from history import DAY, History, milliseconds
from program import BINARY, LOST, Client, Fault, Program, configuration, free_port
from work import API, Work

CLIENTS = 5
# While an index is rebuilt.
READY_SECONDS = 20


class Store:
    """One data folder, through many processes."""

    # Kills of one folder.
    STEPS = 25

    def __init__(self, folder, rng, totals, without=(), settings=""):
        self.folder, self.rng, self.totals, self.without = folder, rng, totals, without
        self.data = os.path.join(folder, "data")
        # Attempts to forward are results of an inbox too.
        retention = rng.choice([{}, {}, {}, {} if settings else {"inbox_results": 300}, {"days": 30}])
        self.history = History(retention)
        pause = rng.choice([0, 100, 30_000])
        self.config = configuration(folder, "results: " + json.dumps({
            "segment_bytes": 1_048_576, "compaction_milliseconds": pause,
            **({"retention": retention} if retention else {})}) + f"\n{settings}\n")
        self.day = milliseconds() // DAY * DAY - 60 * DAY
        self.port = free_port()
        self.program = None
        self.processes = []

    # --- One process after another ------------------------------------------------------------------

    def launch(self, *options):
        return Program(self.config, self.data, self.port, *options)

    def start(self):
        began = time.monotonic()
        self.program = self.launch()
        self.processes = [self.program]
        self.program.wait_until_ready()
        self.totals["starts"].append(time.monotonic() - began)

    def kill(self):
        for process in self.processes:
            if not process.has_ended():
                process.kill()

    def step(self, is_past):
        """Work until a kill, in one of several ways; then what is there is looked at."""
        rng = self.rng
        if rng.random() < 0.15:
            self.kill_at_start()
        self.start()
        self.look()
        if is_past:
            self.move_on()
        work = Work(self.history, rng.random(), self.day if is_past else None, self.without)
        work.start(self.port, CLIENTS)
        way = rng.random()
        try:
            time.sleep(rng.uniform(0.03, 0.35))
            if way < 0.08:
                self.take_over(rng)
            for process in self.processes[-1:]:
                process.expect_running()
            if work.faults:
                time.sleep(1)  # The log is written a moment after its cause.
            if way < 0.97:
                self.kill()
        finally:
            work.stop()
            self.count(work)
        if way >= 0.97:
            self.stop()
        elif way < 0.04:
            self.drop_index()

    def move_on(self):
        self.day += self.rng.choice([0, 1, 1, 3]) * DAY

    def kill_at_start(self):
        self.program = self.launch()
        self.processes = [self.program]
        time.sleep(self.rng.uniform(0, 0.08))
        self.program.expect_running()
        self.kill()

    def take_over(self, rng):
        """The kill comes before, amid or after it; after it, the former process has to end."""
        former = self.program
        self.program = self.launch("--take-over")
        self.processes.append(self.program)
        self.totals["takeovers"] += 1
        if rng.random() < 0.5:
            time.sleep(rng.uniform(0, 0.15))
            return
        self.program.wait_until_ready()
        if code := former.wait_until_gone():
            raise Fault(f"the former server ended with {code}: {former.text()[-2000:]}")
        time.sleep(rng.uniform(0, 0.2))

    def count(self, work):
        for name, count in work.done.items():
            self.totals["work"][name] = self.totals["work"].get(name, 0) + count

    def drop_index(self):
        for suffix in ["", "-wal", "-shm"]:
            if os.path.exists(path := os.path.join(self.data, "index.sqlite" + suffix)):
                os.remove(path)

    def stop(self):
        if code := self.program.stop():
            raise Fault(f"the server ended with {code} when it was to stop: {self.program.text()[-2000:]}")

    def end(self):
        """Leaves nothing running."""
        self.kill()

    def story(self):
        """What was done to it in this step, for the message of a fault."""
        return "killed"

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

    def work(self, seconds):
        """Work on a sound server."""
        work = Work(self.history, self.rng.random(), without=self.without)
        work.start(self.port, CLIENTS)
        time.sleep(seconds)
        work.stop()
        self.count(work)

    def erase_all(self):
        """Compacts until no byte of what was erased is left."""
        client = Client(self.port, 60)
        # What expires with the first goes with the second.
        for _ in range(2):
            report = client.json("POST", f"{API}/store/compact")
            if report["failures"]:
                raise Fault(f"compaction: {report}")
        client.close()
        self.look()
        expect_nowhere(self.data, *self.unwelcome())

    def unwelcome(self):
        tokens, names = self.history.unwelcome()
        return tokens, set() if "names" in self.without else names

    def finish(self):
        """Compacts, stops, and looks at every byte; then again with a rebuilt index."""
        self.start()
        self.look()
        self.work(0.3)
        self.look()
        self.erase_all()
        self.stop()
        expect_nowhere(self.data, *self.unwelcome())
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
