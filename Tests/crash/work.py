"""What clients do to the server while it may be killed at any moment.

Invariant: nothing is asked that the history does not hear of first, and every answer is judged: a status that a sound
server on a sound disk never gives is a fault. Left out: killing, and looking at what was recovered.
"""

import datetime
import json
import random
import threading

from history import DAY, GONE, PENDING, STORED, Record, milliseconds
from program import LOST, Client, Fault

API = "/api/v1"
LARGE = 300_000
RAW = "/callbacks/raw/"
# Where all records have keys, and nothing is erased.
KEYED = "keyed"
# While the server stops, is taken over, or rebuilds its index.
UNREADY = (503,)
# While calls of the server fail.
FAILED = (500, 507)


def identifier(rng, moment):
    digits = f"{moment:012x}7{rng.getrandbits(12):03x}{8 + rng.getrandbits(2):x}{rng.getrandbits(60):015x}"
    return "-".join([digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]])


def line(record):
    """A record as an export has it; one to be renewed says what no decoder finds in its request."""
    moment = datetime.datetime.fromtimestamp(record.moment / 1000, datetime.timezone.utc)
    vendor, contract, outcome, verdict, result = (
        ("welltory", "welltory-dds", "completed", "decoded", {"stress": 99}) if record.renewed
        else ("raw", None, None, "unmatched", None))
    data = f"{record.token} {'x' * record.size}"
    return json.dumps({
        "id": record.id, "received_at": moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{record.moment % 1000:03d}Z",
        "inbox": record.inbox, "vendor": vendor, "contract": contract, "outcome": outcome, "verdict": verdict,
        "flow": None, "request": {
            "method": "GET" if record.renewed else "POST", "scheme": "http", "host": "127.0.0.1:8080",
            "target": record.path, "version": "1.1", "peer": "127.0.0.1:51512",
            "headers": [["Host", "127.0.0.1:8080"]],
            "body": None if record.renewed else {"encoding": "utf8", "data": data}},
        "result": result, "diagnostics": []}, separators=(",", ":"))


class Work:
    """The clients of one server between two kills."""

    def __init__(self, history, seed, day=None, without=(), is_failing=False):
        self.history, self.seed = history, seed
        # Whether calls of the server may fail, so that it refuses any request.
        self.is_failing = is_failing
        # The day of what is imported, in milliseconds; nil where callbacks come too.
        self.day = day
        chosen = HISTORY if day else TODAY
        self.operations = [(operation, weight) for operation, weight in chosen if operation.__name__ not in without]
        self.faults = []
        self.done = {}
        self.stopping = threading.Event()
        self.threads = []

    def start(self, port, count):
        for number in range(count):
            thread = threading.Thread(target=self.run, args=(port, random.Random(f"{self.seed}-{number}")))
            self.threads.append(thread)
            thread.start()

    def stop(self):
        """Ends all clients after what they are doing; raises what they have found."""
        self.stopping.set()
        for thread in self.threads:
            thread.join()
        if self.faults:
            raise self.faults[0]

    def run(self, port, rng):
        client = Client(port)
        operations, weights = zip(*self.operations)
        while not self.stopping.is_set():
            operation = rng.choices(operations, weights)[0]
            try:
                operation(self, client, rng)
                self.done[operation.__name__] = self.done.get(operation.__name__, 0) + 1
            except LOST:
                # The server was killed, or gave this connection up for another that takes over.
                self.stopping.wait(0.005)
            except Fault as fault:
                self.faults.append(Fault(f"{operation.__name__}: {fault}"))
                return
            except Exception as fault:  # pylint: disable=broad-except
                self.faults.append(Fault(f"{operation.__name__}: {fault!r}"))
                return
        client.close()

    # --- Operations ---------------------------------------------------------------------------------

    def post(self, client, rng):
        self.send(client, self.new(rng, rng.randrange(2000)))

    def post_large(self, client, rng):
        self.send(client, self.new(rng, rng.randrange(LARGE)))

    def post_keyed(self, client, rng):
        """Also once more what had no answer: stored or not, it must be one result then."""
        try:
            record = self.history.unanswered.pop()
        except IndexError:
            record = self.new(rng, rng.randrange(2000), keyed=True)
        if record.state == GONE:
            self.history.begin(record)
        if record.state == PENDING:
            self.send(client, record)
        if record.state == STORED and not self.history.retention and rng.random() < 0.3:
            self.send(client, record, again=True)

    def post_import(self, client, rng):
        history, moment = self.history, self.day or milliseconds() - DAY
        records = []
        for _ in range(rng.choice([1, 5, 20, 60])):
            inbox, token, renewed = self.pick_inbox(rng), new_token(rng), rng.random() < 0.4
            # Times rise with the clock of the day's import.
            at = moment + rng.randrange(DAY // 2)
            path = f"/callbacks/welltory/{inbox}?stress=0.5&t={token}" if renewed else f"{RAW}{inbox}?t={token}"
            records.append(Record(token, inbox, path, rng.randrange(3000), id=identifier(rng, at), moment=at,
                                  renewed=renewed))
            history.begin(records[-1])
        body = "".join(line(record) + "\n" for record in records).encode()
        status, text = client.ask("POST", f"{API}/import", body, {"Content-Type": "application/x-ndjson"})
        if not self.expect(status, text, 200, 409):
            return
        report = json.loads(text)
        if report["imported"] != len(records):
            raise Fault(f"{report['imported']} of {len(records)} lines were imported: {text[:500]}")
        for record in records:
            history.acknowledge(record, record.id)

    def erase(self, client, rng):
        record = self.history.known(rng)
        # What is sent again must still be there.
        if record is None or record.key:
            return
        mark = self.history.mark(record)
        if not self.history.begin_erasing(record):
            return
        mark = mark[:2] + (record.state,)
        status, text = client.ask("DELETE", f"{API}/results/{record.id}")
        if status == 404:
            self.history.not_found(record, mark)
        elif self.expect(status, text, 204):
            self.history.erased(record)

    def erase_inbox(self, client, rng):
        name = self.pick_inbox(rng)
        self.inboxes(rng).discard(name)
        taken = self.history.begin_erasing_inbox(name)
        status, text = client.ask("DELETE", f"{API}/inboxes/{name}")
        # One that holds nothing is 204; then what should have been taken away is looked for later.
        if self.expect(status, text, 200, 204):
            self.history.erased_inbox(name, taken if status == 200 else [])

    def compact(self, client, _):
        status, text = client.ask("POST", f"{API}/store/compact")
        if self.expect(status, text, 200) and json.loads(text)["failures"] and not self.is_failing:
            raise Fault(f"compaction: {text[:500]}")

    def redecode(self, client, _):
        status, text = client.ask("POST", f"{API}/store/redecode?vendor=welltory&apply=true")
        if self.expect(status, text, 200, 409) and json.loads(text)["unreadable"] and not self.is_failing:
            raise Fault(f"redecoding: {text[:500]}")

    def verify(self, client, _):
        status, text = client.ask("POST", f"{API}/store/verify")
        if self.expect(status, text, 200) and not json.loads(text)["sound"] and not self.is_failing:
            raise Fault(f"not sound: {text[:2000]}")

    def read(self, client, rng):
        record = self.history.known(rng)
        if record is None:
            return
        mark = self.history.mark(record)
        if mark[2] != STORED:
            return
        status, text = client.ask("GET", f"{API}/results/{record.id}")
        if status == 404:
            self.history.not_found(record, mark)
        elif self.expect(status, text, 200):
            check(record, json.loads(text))

    def list(self, client, rng):
        status, text = client.ask("GET", f"{API}/results?inbox={self.pick_inbox(rng)}&limit=100")
        self.expect(status, text, 200)

    # --- Their parts --------------------------------------------------------------------------------

    def inboxes(self, rng):
        """Names that are in use: always a few."""
        names = self.history.names
        while len(names) < 5:
            names.add(f"box-{rng.getrandbits(40):010x}")
        return names

    def pick_inbox(self, rng):
        name = rng.choice(sorted(self.inboxes(rng)))
        self.history.inbox(name)
        return name

    def new(self, rng, size, keyed=False):
        inbox, token = KEYED if keyed else self.pick_inbox(rng), new_token(rng)
        self.history.inbox(inbox)
        record = Record(token, inbox, f"{RAW}{inbox}?t={token}", size, key=token if keyed else None)
        self.history.begin(record)
        return record

    def send(self, client, record, again=False):
        """Sends a callback, or one with a key again: then it must be the same result."""
        headers = {"traceparent": f"00-{trace(record)}-{trace(record)[:16]}-01"}
        if record.key:
            headers["Idempotency-Key"] = record.key
        mark = self.history.mark(record)
        status, text = client.ask("POST", record.path, f"{record.token} {'x' * record.size}".encode(), headers)
        if status == 409 or not self.expect(status, text, 201):
            return
        reply = json.loads(text)
        if not again:
            self.history.acknowledge(record, reply["id"], reply["seq"])
        elif reply["id"] != record.id and self.history.mark(record) == mark and mark[2] == STORED:
            raise Fault(f"{record} became {reply['id']} when it was sent again")

    def expect(self, status, text, *expected):
        """Whether the answer is one of these; false where the server is about to go, not ready yet, or fails."""
        if status in expected:
            return status != 409
        if status in UNREADY or self.is_failing and status in FAILED:
            return False
        raise Fault(f"expected status {expected[0]}, got {status}: {text[:500]}")


def new_token(rng):
    return f"mk{rng.getrandbits(64):016x}z"


def trace(record):
    """The id by which a callback is searched."""
    return record.token.strip("mkz") * 2


def check(record, root):
    """Whether a result is what was sent."""
    body = root["request"]["body"]
    sent = None if record.renewed else f"{record.token} {'x' * record.size}"
    if root["request"]["target"] != record.path or (body and body["data"]) != sent:
        raise Fault(f"{record} holds another request: {root['request']['target']}")


TODAY = [(Work.post, 40), (Work.post_keyed, 10), (Work.post_large, 3), (Work.post_import, 2), (Work.erase, 14),
         (Work.erase_inbox, 1), (Work.compact, 4), (Work.redecode, 2), (Work.verify, 1), (Work.read, 12),
         (Work.list, 3)]
HISTORY = [(Work.post_import, 20), (Work.erase, 14), (Work.erase_inbox, 1), (Work.compact, 8), (Work.redecode, 4),
           (Work.verify, 1), (Work.read, 10), (Work.list, 2)]
