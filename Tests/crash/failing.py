"""Lets system calls of the server fail amid its work, and looks at it afterwards: first without a restart.

Invariant: what holds after a kill holds after a passing fault too, and the server serves again by itself; only a failed
sync of results ends it, with exit code 4. While nothing can be stored, it isn't ready.
"""

import json
import os
import random
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from files import expect_nowhere
from history import GONE, STORED
from program import LOST, REPOSITORY, Client, Fault, Program
from store import CLIENTS, READY_SECONDS, Store
from work import API, Work, check, trace

EIO, EACCES, ENOMEM, EMFILE, ENOSPC = 5, 13, 12, 24, 28
INDEX = ["/index.sqlite", "/index.sqlite-wal"]
RESULTS = ["/results/", ".jsonl", ".jsonl", ".gz", ".unfinished"]
ANY = ["/data/"]
# How often, calls, parts of their paths, and errors.
CALLS = [
    (6, ["write"], RESULTS + INDEX + ANY + ["/reserve"], [EIO, ENOSPC, ENOSPC]),
    (4, ["open-write"], RESULTS + INDEX + ANY + ["/reserve"], [EIO, EACCES, EMFILE, ENOSPC]),
    (4, ["open-read"], RESULTS + INDEX + ANY, [EIO, EACCES, EMFILE]),
    (3, ["read"], RESULTS + INDEX, [EIO, "short"]),
    (1, ["mmap"], INDEX + ["/index.sqlite-shm"], [ENOMEM, EIO]),
    (2, ["ftruncate"], RESULTS + INDEX + ["/index.sqlite-shm", "/reserve"], [EIO]),
    (5, ["rename"], RESULTS + [".through-"], [EIO, ENOSPC, EACCES]),
    (5, ["unlink"], RESULTS + ["/torn/", ".through-"] + INDEX, [EIO, EACCES]),
    (2, ["fdatasync", "fsync"], INDEX + [".unfinished", ".jsonl", "/results/"], [EIO]),
]
LASTING = -1


def build(folder):
    """Compiles what lets calls fail; returns its path."""
    path = os.path.join(folder, "failing-calls.so")
    subprocess.run(["clang", "-O1", "-fPIC", "-shared", f"{REPOSITORY}/Tests/failing-calls.c", "-o", path], check=True)
    return path


def rules(rng):
    """Lines that say which calls fail: often the same one twice, at different times."""
    lines = []
    weights = [weight for weight, *_ in CALLS]
    for _ in range(rng.choice([1, 1, 2, 3])):
        _, calls, parts, errors = rng.choices(CALLS, weights)[0]
        call, part, error = rng.choice(calls), rng.choice(parts), rng.choice(errors)
        skip = rng.choice([0, 0, 0, 1, 1, 2, 3, 5] + ([10, 30] if call in ("read", "write") else []))
        count = rng.choice([1, 1, 1, 2, 5, 20, LASTING])
        if call == "write" and rng.random() < 0.3:
            lines.append(f"write {part} short {skip} 1")
            skip += 1
        lines.append(f"{call} {part} {error} {skip} {count}")
    return lines


class Target(ThreadingHTTPServer):
    """Gets every callback; the tokens of those that it got are in `tokens`."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Receiver)
        self.tokens = set()
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Receiver(BaseHTTPRequestHandler):
    """Answers 204."""

    protocol_version = "HTTP/1.1"

    def handle_any(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.tokens.add(self.path.rpartition("t=")[2])
        self.send_response(204)
        self.end_headers()

    do_GET = do_POST = handle_any

    def log_message(self, *_):
        pass


class FailingStore(Store):
    """A data folder whose servers have calls that fail."""

    STEPS = 12

    def __init__(self, folder, rng, totals, without=()):
        self.target = Target() if rng.random() < 0.5 else None
        super().__init__(folder, rng, totals, without, "forward: " + json.dumps([
            {"name": "all", "targets": [{"url": f"http://127.0.0.1:{self.target.server_port}/"}]}])
            if self.target else "")
        # The rules of this step, one list after the other.
        self.rounds = []
        self.rules = os.path.join(folder, "rules")
        self.calls = os.path.join(folder, "failed-calls")
        self.variables = {"LD_PRELOAD": build(folder), "FAILING_CALLS": self.rules, "FAILING_CALLS_LOG": self.calls}

    def launch(self, *options):
        return Program(self.config, self.data, self.port, *options, variables=self.variables)

    # --- Failing ------------------------------------------------------------------------------------

    def fail(self):
        lines = rules(self.rng)
        with open(self.rules + ".new", "w", encoding="utf-8") as file:
            file.write("".join(line + "\n" for line in lines))
        os.rename(self.rules + ".new", self.rules)
        self.rounds.append(lines)

    def cease(self):
        if os.path.exists(self.rules):
            os.remove(self.rules)

    def failed(self):
        with open(self.calls, encoding="utf-8") as file:
            return file.read().splitlines()

    def has_ended(self):
        """Whether the server ended, as it must where it can't know what its disk holds."""
        if not self.program.has_ended():
            return False
        code = self.program.process.returncode
        if code != 4 or not any(line.startswith(("fdatasync", "fsync", "ftruncate")) and "/results" in line
                                for line in self.failed()):
            raise Fault(f"the server ended with {code}: {self.program.text()[-2000:]}")
        return True

    def step(self, is_past):
        """Work amid calls that fail, then without; a restart at last."""
        rng = self.rng
        self.rounds = []
        open(self.calls, "w", encoding="utf-8").close()
        if rng.random() < 0.15:
            self.start_failing()
        else:
            self.start()
        if is_past:
            self.move_on()
        self.look()
        self.work_failing(is_past)
        if self.recover():
            self.work(0.15)
            self.look()
            self.erase_all()
            if rng.random() < 0.5:
                self.stop()
            else:
                self.kill()
            expect_nowhere(self.data, *self.unwelcome())
        self.totals["failed"] += len(self.failed())

    def end(self):
        super().end()
        if self.target:
            self.target.shutdown()
            self.target.server_close()

    def story(self):
        return f"calls that failed: {self.rounds}"

    def start_failing(self):
        """It may give up, with a code that says why; with calls that don't fail, it starts."""
        self.fail()
        self.program = self.launch()
        self.processes = [self.program]
        time.sleep(self.rng.uniform(0.1, 0.5))
        self.cease()
        try:
            self.program.wait_until_ready()
        except Fault:
            if not self.program.has_ended() or self.program.process.returncode not in (3, 4):
                raise
        if self.program.has_ended() or not self.recover():
            self.start()

    def work_failing(self, is_past):
        rng = self.rng
        work = Work(self.history, rng.random(), self.day if is_past else None, self.without, is_failing=True)
        work.start(self.port, CLIENTS)
        try:
            for _ in range(rng.randrange(1, 4)):
                if self.program.has_ended():
                    break
                self.fail()
                self.compact_for(rng.uniform(0.1, 0.4))
                if rng.random() < 0.05:
                    self.drop_index()
                self.expect_unready()
                self.cease()
                time.sleep(rng.choice([0, 0, 0.1]))
        finally:
            self.cease()
            work.stop()
            self.count(work)

    def compact_for(self, seconds):
        """Compacts again and again: one failure after another is worse than either."""
        client, deadline = Client(self.port), time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                client.ask("POST", f"{API}/store/compact")
            except LOST:
                return

    def expect_unready(self):
        """When callbacks are refused one after the other, the server says so."""
        work, client, answers = Work(self.history, 0, is_failing=True), Client(self.port), []
        try:
            for _ in range(3):
                record = work.new(random.Random(self.rng.random()), 10)
                work.send(client, record)
                if record.state == STORED:
                    return
                answers.append(client.ask("GET", "/readyz")[0])
        except LOST:
            return
        finally:
            client.close()
        if 503 not in answers:
            raise Fault(f"callbacks are refused, and /readyz says {answers}")

    # --- Afterwards ---------------------------------------------------------------------------------

    def recover(self):
        """Waits until the server is ready, without a restart or a callback; false if the fault has ended it."""
        deadline, client, text = time.monotonic() + READY_SECONDS, Client(self.port), ""
        while True:
            try:
                status, text = client.ask("GET", "/readyz")
                if status == 200:
                    return True
            except LOST:
                if self.has_ended():
                    return False
            if time.monotonic() > deadline:
                raise Fault(f"not ready {READY_SECONDS} s after the fault: {text[:1000]}")
            time.sleep(0.1)

    def erase_all(self):
        if self.target:
            self.expect_forwarded()
        super().erase_all()

    def expect_forwarded(self):
        """Everything that is stored gets to the target, also what could not be read or sent for a while."""
        client, deadline = Client(self.port), time.monotonic() + READY_SECONDS
        while True:
            queue = client.json("GET", f"{API}/deliveries")["targets"][0]
            missing = [record for record in self.history.live.values() if record.token not in self.target.tokens]
            if not missing and not queue["pending"]:
                break
            if time.monotonic() > deadline:
                raise Fault(f"{len(missing)} are not forwarded, such as {missing[:1]}: {queue}")
            time.sleep(0.05)
        client.close()

    def look(self):
        super().look()
        client = Client(self.port)
        lines = {}
        for line in client.ask("GET", f"{API}/export?kind=callback")[1].splitlines():
            root = json.loads(line)
            token = root["request"]["target"].rpartition("t=")[2]
            if token in lines:
                raise Fault(f"{token} is exported twice")
            lines[token] = root
        history = self.history
        if lines.keys() != history.live.keys():
            raise Fault(f"exported, or not: {list(lines.keys() ^ history.live.keys())[:5]}")
        for token, root in lines.items():
            check(history.live[token], root)
        for record in self.sample(history.live) + self.sample(history.gone):
            found = client.json("GET", f"{API}/results?trace={trace(record)}")["results"]
            status = client.ask("GET", f"{API}/results/{record.id}")[0] if record.id else 404
            if record.state == GONE and (found or status != 404) or \
                    record.state == STORED and (len(found) != (record.moment is None) or status != 200):
                raise Fault(f"{record}, {record.state}, is found {len(found)} times, and gets {status}")
        client.close()

    def sample(self, records):
        return [records[token] for token in self.rng.sample(sorted(records), min(4, len(records)))]
