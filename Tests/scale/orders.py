"""Parts about what an instance sees of the others: the stream, reads right after a reply, and how soon a wait wakes."""

import json
import os
import random
import select
import socket
import threading
import time

from database import Database, address
from fleet import Fleet
from ledger import API, Ledger, Writers
from program import HOST, LOST, Client, Fault
from progress import progress

COUNTS = (1, 2, 4)
WRITERS = 8
START_SECONDS = 20
CATCH_UP_SECONDS = 30
WAIT_BUDGET_SECONDS = 0.020
# Of the quiet rounds, which have nothing beside them.
WAIT_SECONDS = 10


class Follower(threading.Thread):
    """A client of one instance's stream that goes on where it was each time its connection ends."""

    def __init__(self, port, rng):
        super().__init__(daemon=True)
        self.port, self.rng = port, rng
        self.ids, self.last, self.fault = {}, None, None
        self.connections = self.gaps = 0
        self.ready, self.ending = threading.Event(), threading.Event()

    def run(self):
        while not self.ending.is_set() and not self.fault:
            client = Client(self.port, 1)
            try:
                headers = {} if self.last is None else {"Last-Event-ID": str(self.last)}
                after = "?after=0" if self.last is None else ""
                client.connection.request("GET", f"{API}/results/stream{after}", headers=headers)
                reply = client.connection.getresponse()
                if reply.status == 503:
                    # It can't read what came after the last one.
                    time.sleep(0.05)
                    continue
                if reply.status != 200:
                    self.fault = Fault(f"the stream got {reply.status}: {reply.read(500)}")
                self.connections += 1
                self.ready.set()
                self._read(reply, time.monotonic() + self.rng.uniform(0.2, 1.5))
                time.sleep(0.01)
            except LOST:
                time.sleep(0.02)
            except Fault as fault:
                self.fault = fault
            finally:
                client.close()

    def expect_begun(self):
        if not self.ready.wait(START_SECONDS):
            raise Fault(f"the stream does not begin: {self.fault}")

    def _read(self, reply, until):
        event, id, data = "message", None, None
        while time.monotonic() < until and not self.ending.is_set():
            line = reply.readline()
            if not line.endswith(b"\n"):
                return
            name, _, value = line.decode().rstrip("\r\n").partition(":")
            value = value.removeprefix(" ")
            if name == "event":
                event = value
            elif name == "id":
                id = value
            elif name == "data":
                data = value
            elif not name and not value:
                if event == "gap":
                    # What was left out comes again after the last one that came.
                    self.gaps += 1
                    return
                if data is not None:
                    self._take(id, json.loads(data))
                event, id, data = "message", None, None

    def _take(self, id, result):
        seq = result["seq"]
        if id != str(seq):
            raise Fault(f"an event of number {seq} has the id {id}")
        if self.last is not None and seq <= self.last:
            raise Fault(f"number {seq} comes after number {self.last} in the stream")
        if result["id"] in self.ids:
            raise Fault(f"{result['id']} comes twice, as number {self.ids[result['id']]} and {seq}")
        self.ids[result["id"]] = self.last = seq

    def finish(self, ledger):
        """Waits for the last ones, and compares with what is there."""
        wanted = {row["id"]: row["seq"] for row in ledger.rows.values()}
        deadline = time.monotonic() + CATCH_UP_SECONDS
        while not self.fault and len(self.ids) < len(wanted) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.ending.set()
        self.join()
        if self.fault:
            raise self.fault
        missed = [f"{id}, number {seq}" for id, seq in wanted.items() if id not in self.ids]
        if missed:
            raise Fault(f"{len(missed)} of {len(wanted)} never came in the stream: {missed[:3]}")
        wrong = [id for id, seq in wanted.items() if self.ids[id] != seq]
        if wrong or len(self.ids) != len(wanted):
            raise Fault(f"{len(self.ids)} came in the stream of {len(wanted)}; of another number: {wrong[:3]}")
        return f"{len(wanted)} followed on {self.connections} connections, {self.gaps} gaps"


def look_elsewhere(callback, clients, rng, headers):
    """What one instance has stored is there at any other, right after the reply."""
    others = [port for port in clients if port != callback.port] or [callback.port]
    port = rng.choice(others)
    status, text = clients[port].ask("GET", f"{API}/results/{callback.id}", headers=headers)
    if status != 200 or json.loads(text)["seq"] != callback.seq:
        raise Fault(f"{callback} is answered {status} by another instance right after its reply: {text[:300]}")


def order(folder, size):
    """A follower of one instance, while 1, 2 and 4 instances store."""
    told = []
    database = Database(os.path.join(folder, "database"))
    try:
        for count in COUNTS:
            progress(f"{count} instances")
            name = database.create(f"order{count}")
            ledger, rng = Ledger(), random.Random(size.seed)
            with Fleet(os.path.join(folder, name), count, store=address(database, name=name)) as fleet:
                follower = Follower(fleet.ports[0], rng)
                follower.start()
                follower.expect_begun()
                writers = Writers(ledger, fleet.ports, WRITERS, look_elsewhere, is_smooth=True)
                end = time.monotonic() + size.seconds
                while time.monotonic() < end and not follower.fault and not writers.faults:
                    time.sleep(0.05)
                    progress(f"{count} instances, {ledger.told()}")
                writers.stop()
                told.append(f"{count} instances: {ledger.settle(fleet.ports[-1])}; {follower.finish(ledger)}")
                fleet.expect_running()
    finally:
        database.stop()
    return "\n    ".join(told)


# --- How soon a wait wakes ------------------------------------------------------------------------------


class Line:
    """A kept-alive connection on which one request is sent and its reply read later."""

    def __init__(self, port):
        self.socket = socket.create_connection((HOST, port), timeout=WAIT_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, method, target, body=b""):
        head = f"{method} {target} HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: {len(body)}\r\n\r\n"
        self.socket.sendall(head.encode() + body)

    def receive(self):
        """Status and content."""
        got = b""
        while b"\r\n\r\n" not in got:
            got += self._more()
        head, _, content = got.partition(b"\r\n\r\n")
        fields = head.lower().decode("latin-1").split("\r\n")
        sizes = [int(field.partition(":")[2]) for field in fields if field.startswith("content-length:")]
        if not sizes:
            raise Fault(f"a reply without Content-Length: {head[:500]}")
        while len(content) < sizes[0]:
            content += self._more()
        return int(head.split()[1]), content

    def _more(self):
        if not (more := self.socket.recv(65536)):
            raise Fault("a connection ended amid a reply")
        return more

    def has_reply(self):
        return bool(select.select([self.socket], [], [], 0)[0])


def measure_wait(poster, waiter, inbox, pause):
    """Seconds from a callback's reply at one instance to that of a wait at another; not below zero."""
    waiter.send("GET", f"{API}/results/wait?inbox={inbox}&within={WAIT_SECONDS}s")
    time.sleep(pause)
    if waiter.has_reply():
        raise Fault(f"a wait for nothing ends: {waiter.receive()}")
    poster.send("POST", f"/callbacks/raw/{inbox}?t={inbox}", b"x")
    status, text = poster.receive()
    replied = time.perf_counter()
    if status != 201:
        raise Fault(f"a callback got {status}: {text[:500]}")
    if waiter.has_reply():
        replied = time.perf_counter()
    status, found = waiter.receive()
    seconds = time.perf_counter() - replied
    if status != 200 or json.loads(found)["results"][0]["id"] != json.loads(text)["id"]:
        raise Fault(f"a wait got {status}: {found[:500]}")
    return seconds


def wait(folder, size):
    """Alone, then beside callbacks; the budget is for the first."""
    rng, told, ledger = random.Random(size.seed), [], Ledger()
    database = Database(os.path.join(folder, "database"))
    try:
        with Fleet(folder, 2, store=address(database)) as fleet:
            poster, waiter = Line(fleet.ports[0]), Line(fleet.ports[1])
            for is_loaded in (False, True):
                writers = Writers(ledger, fleet.ports, 4, is_smooth=True) if is_loaded else None
                durations = []
                for number in range(size.waits):
                    progress(f"wait {number + 1} of {size.waits}{' beside callbacks' * is_loaded}")
                    inbox = f"w{int(is_loaded)}-{number}"
                    durations.append(measure_wait(poster, waiter, inbox, rng.uniform(0.005, 0.03)))
                if writers:
                    writers.stop()
                durations.sort()
                p50, p99 = durations[len(durations) // 2], durations[len(durations) * 99 // 100]
                told.append(f"{'beside callbacks' if is_loaded else 'alone'}: p50 {p50 * 1000:.1f} ms, "
                            f"p99 {p99 * 1000:.1f} ms, longest {durations[-1] * 1000:.1f} ms")
                if not is_loaded and p99 >= WAIT_BUDGET_SECONDS:
                    raise Fault(f"p99 is over {WAIT_BUDGET_SECONDS * 1000:.0f} ms: {told[0]}")
    finally:
        database.stop()
    return "\n    ".join(told)
