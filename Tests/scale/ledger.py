"""What was sent, what was said of it, and whether the database holds just that.

Invariant: none is refused; a callback that was answered 201 or 202 is there once, one that had no such answer once or
not at all, and nothing else is there. What was sent again with its Idempotency-Key is one callback.
"""

import json
import random
import threading
import time

from program import LOST, REPLY_SECONDS, Client, Fault
from progress import progress

API = "/api/v1"
READY_SECONDS = 60
# Without any progress, and altogether.
SETTLE_SECONDS = 60
MOST_SETTLE_SECONDS = 480
# After a reply 202, so that an outage doesn't leave more than is drained in that time.
OUTAGE_PAUSE_SECONDS = 0.02
SAMPLE_STEP = 50
RETRY_SECONDS = 60
KEYED_SHARE = 0.4
LIST_SECONDS = 120


class Callback:
    """One callback, sent once or again."""

    __slots__ = ("token", "writer", "key", "id", "seq", "status", "tries", "port", "began", "ended")

    def __init__(self, token, writer, key):
        self.token, self.writer, self.key = token, writer, key
        self.id = self.seq = self.status = self.port = None
        # Of its last try.
        self.began = self.ended = 0
        self.tries = 0

    def __str__(self):
        return f"{self.token} ({self.status}, {self.id}, number {self.seq}, {self.tries} tries, port {self.port})"


class Ledger:
    """All callbacks of one database; `headers` are what queries need."""

    def __init__(self, headers=None):
        self.headers = headers or {}
        self.lock = threading.Lock()
        self.sent = {}
        self.acknowledged = []
        # What was there when it was compared, by token.
        self.rows = {}
        self.statuses = {}

    def begin(self, callback):
        with self.lock:
            self.sent[callback.token] = callback

    def count(self, status):
        with self.lock:
            self.statuses[status] = self.statuses.get(status, 0) + 1

    def acknowledge(self, callback, status, port, text):
        reply = json.loads(text)
        callback.status, callback.port, callback.ended = status, port, time.monotonic()
        callback.id, callback.seq = reply["id"], reply.get("seq")
        if status == 201 and not isinstance(callback.seq, int):
            raise Fault(f"a reply 201 without seq: {text[:500]}")
        with self.lock:
            self.acknowledged.append(callback)

    def stored(self):
        """How many were answered 201 until now."""
        with self.lock:
            return self.statuses.get(201, 0)

    # --- Looking ------------------------------------------------------------------------------------

    def settle(self, port):
        """Waits until everything that was answered 202 has been stored, and compares."""
        most = time.monotonic() + MOST_SETTLE_SECONDS
        # All of them are asked for in the list; some by id, so that the wait costs the servers little.
        accepted = [callback for callback in self.acknowledged if callback.status == 202 and callback.tries == 1]
        client = Client(port)
        for number, callback in enumerate(accepted[::SAMPLE_STEP] + accepted[-SAMPLE_STEP:]):
            deadline = min(most, time.monotonic() + SETTLE_SECONDS)
            while client.ask("GET", f"{API}/results/{callback.id}", headers=self.headers)[0] != 200:
                progress(f"waiting for what was answered 202: {number * SAMPLE_STEP} of {len(accepted)} are there")
                if time.monotonic() > deadline:
                    self._lost(all_rows(port, self.headers))
                time.sleep(0.1)
        client.close()
        rows, deadline = all_rows(port, self.headers), min(most, time.monotonic() + SETTLE_SECONDS)
        while time.monotonic() < deadline and any(callback.token not in rows for callback in self.acknowledged):
            time.sleep(3)
            rows = all_rows(port, self.headers)
        # What may still come must be nothing that is there.
        time.sleep(1)
        return self.compare(all_rows(port, self.headers))

    def _lost(self, rows):
        lost = [callback for callback in self.acknowledged if callback.token not in rows]
        if lost:
            raise Fault(f"{len(lost)} of {len(self.acknowledged)} acknowledged callbacks are lost: "
                        + ", ".join(map(str, lost[:3])))

    def compare(self, rows):
        """Checks what is there; returns a sentence."""
        self.rows = rows
        self._lost(rows)
        unknown = [token for token in rows if token not in self.sent]
        if unknown:
            raise Fault(f"{len(unknown)} were never sent: {unknown[:3]}")
        for callback in self.acknowledged:
            row = rows[callback.token]
            # Another of its tries may be the one that is there, if all of them waited for the database.
            is_sure = callback.tries == 1 or callback.status == 201
            if is_sure and row["id"] != callback.id or callback.seq not in (None, row["seq"]):
                raise Fault(f"{callback} is there as {row}")
        self._expect_order(rows)
        others = len(rows) - len(self.acknowledged)
        return f"{len(self.acknowledged)} acknowledged are there, {others} without an answer too; {self.told()}"

    def _is_direct(self, callback, seq):
        """Whether it was stored between its request and its reply 202: its connection to the database was lost before
        that said so."""
        stored = [other for other in self.acknowledged if other.status == 201]
        return all(other.seq < seq for other in stored if other.ended < callback.began) and all(
            other.seq > seq for other in stored if other.began > callback.ended)

    def _expect_order(self, rows):
        """What one client was answered one after the other by one instance is stored in that order: among what waited
        for the database, and among what did not."""
        last = {}
        for callback in self.acknowledged:
            if callback.tries > 1:
                continue
            lane, seq = (callback.writer, callback.port, callback.status), rows[callback.token]["seq"]
            if seq <= last.get(lane, (0,))[0]:
                if callback.status == 202 and self._is_direct(callback, seq):
                    continue
                raise Fault(f"{callback} has number {seq}, and {last[lane][1]}, which was acknowledged before it, "
                            f"has {last[lane][0]}")
            last[lane] = seq, callback

    def told(self):
        return ", ".join(f"{count} × {status}" for status, count in sorted(self.statuses.items(), key=str))


def all_rows(port, headers):
    """All results by their token; a fault if one is there twice."""
    client = Client(port, LIST_SECONDS)
    path = f"{API}/results?fields=id,seq,request.target"
    deadline = time.monotonic() + READY_SECONDS
    while True:
        try:
            status, text = client.ask("GET", path, headers={"Accept": "application/x-ndjson", **headers})
            if status == 200:
                break
        except LOST as lost:
            status, text = None, repr(lost).encode()
        if time.monotonic() > deadline:
            raise Fault(f"the list of all results got {status}: {text[:500]}")
        time.sleep(0.1)
    client.close()
    rows, ids, numbers = {}, set(), set()
    for line in text.splitlines():
        row = json.loads(line)
        token = row["request"]["target"].rpartition("t=")[2]
        if token in rows:
            raise Fault(f"{token} is there twice: {rows[token]}, {row}")
        if row["id"] in ids or row["seq"] in numbers:
            raise Fault(f"an id or a number is there twice: {row}")
        rows[token] = row
        ids.add(row["id"])
        numbers.add(row["seq"])
    return rows


class Writers:
    """Clients that send callbacks to instances in turn, until they are stopped."""

    def __init__(self, ledger, ports, count, inspect=None, *, prefix="s", is_smooth=False, seconds=REPLY_SECONDS):
        """`is_smooth`: each callback must be answered 201 at once."""
        self.seconds = seconds
        self.ledger, self.ports, self.inspect, self.is_smooth = ledger, list(ports), inspect, is_smooth
        self.stopping, self.faults = threading.Event(), []
        self.threads = [threading.Thread(target=self._run, args=(f"{prefix}{number}",), daemon=True)
                        for number in range(count)]
        for thread in self.threads:
            thread.start()

    def stop(self):
        """Ends all clients after what they are doing; raises what they have found."""
        self.stopping.set()
        deadline = time.monotonic() + RETRY_SECONDS + self.seconds
        for thread in self.threads:
            thread.join(max(0, deadline - time.monotonic()))
        if any(thread.is_alive() for thread in self.threads):
            self.faults.append(Fault("a client waits without an end"))
        self.check()

    def check(self):
        if self.faults:
            raise self.faults[0]

    def expect_progress(self, seconds):
        """Returns when callbacks are stored again."""
        before, deadline = self.ledger.stored(), time.monotonic() + seconds
        while self.ledger.stored() < before + len(self.threads):
            self.check()
            if time.monotonic() > deadline:
                raise Fault(f"no callback was stored for {seconds} s: {self.ledger.told()}")
            time.sleep(0.02)

    def _run(self, name):
        rng, number = random.Random(name), 0
        clients = {port: Client(port, self.seconds) for port in self.ports}
        while not self.stopping.is_set():
            number += 1
            callback = Callback(f"{name}x{number}", name, rng.random() < KEYED_SHARE)
            self.ledger.begin(callback)
            try:
                self._send(callback, clients, rng)
            except Fault as fault:
                self.faults.append(fault)
                return
            except Exception as fault:  # pylint: disable=broad-except
                self.faults.append(Fault(f"{callback}: {fault!r}"))
                return
        for client in clients.values():
            client.close()

    def _send(self, callback, clients, rng):
        """Once, or with a key again until it is acknowledged."""
        headers = {"Idempotency-Key": callback.token} if callback.key else {}
        deadline = time.monotonic() + RETRY_SECONDS
        while True:
            port = rng.choice(self.ports)
            callback.tries += 1
            if self._try(callback, clients[port], port, headers):
                if self.inspect:
                    self.inspect(callback, clients, rng, self.ledger.headers)
                return
            if not callback.key or time.monotonic() > deadline:
                return
            time.sleep(0.05)

    def _try(self, callback, client, port, headers):
        path = f"/callbacks/raw/{callback.writer}?t={callback.token}"
        callback.began = time.monotonic()
        try:
            status, text = client.ask("POST", path, f"{callback.token} {'x' * 200}".encode(), headers)
        except LOST as lost:
            self.ledger.count(type(lost).__name__)
            if self.is_smooth:
                raise Fault(f"{callback} had no answer: {lost!r}") from lost
            time.sleep(0.01)
            return False
        self.ledger.count(status)
        if status == 201 or status == 202 and not self.is_smooth:
            self.ledger.acknowledge(callback, status, port, text)
            time.sleep(OUTAGE_PAUSE_SECONDS * (status == 202))
            return True
        # Its other try is under way.
        if status == 409 and callback.key and not self.is_smooth:
            time.sleep(0.02)
            return False
        raise Fault(f"{callback} got {status}: {text[:500]}")
