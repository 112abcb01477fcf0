"""What was asked of the server and what it acknowledged, and so what must be there.

Invariant: a record is PENDING from before its request is sent until its whole reply was read, or until a look at the
recovered store; STORED ones must be found, GONE ones must never be found again, DOUBTFUL ones (an erasure overlaps
with them, or was not acknowledged) may be either until the next look. Left out: how anything is asked.
"""

import threading
import time

from program import Fault

PENDING, STORED, DOUBTFUL, GONE = "pending", "stored", "doubtful", "gone"
DAY = 86_400_000
HOUR = 3_600_000


class Inbox:
    """What the inbox of one name has seen."""

    def __init__(self, name):
        self.name = name
        self.records = {}
        self.erasures = 0
        self.erasing = 0
        self.begun = 0
        self.expired = 0


class Record:
    """One callback or imported line."""

    __slots__ = ("token", "inbox", "id", "seq", "state", "moment", "path", "size", "key", "floor", "epoch", "renewed",
                 "was_stored", "trail")

    def __init__(self, token, inbox, path, size, *, id=None, moment=None, key=None, renewed=False):
        self.token, self.inbox, self.path, self.size = token, inbox, path, size
        self.id, self.seq, self.moment, self.key = id, None, moment, key
        self.state, self.floor, self.epoch = PENDING, 0, 0
        # Whether decoding it again gives it a line of a later number.
        self.renewed = renewed
        self.was_stored = False
        # What happened to it, for the message of a fault.
        self.trail = []

    def __str__(self):
        return f"{self.token} ({self.id}, number {self.seq}, {', '.join(self.trail)})"

    def note(self, event):
        self.trail.append(f"{event} at {time.strftime('%H:%M:%S')}.{int(time.time() * 1000) % 1000:03d}")


class History:
    """The records of one data folder."""

    def __init__(self, retention=None):
        self.retention = retention or {}
        self.lock = threading.Lock()
        self.inboxes = {}
        # Those in use: a name that was erased is not used again.
        self.names = set()
        self.live = {}
        self.gone = {}
        self.erased_inboxes = set()
        # Requests with a key that had no answer.
        self.unanswered = []
        self.highest = 0
        self.counts = {"acknowledged": 0, "erased": 0, "recovered": 0, "expired": 0}

    def inbox(self, name):
        with self.lock:
            return self.inboxes.setdefault(name, Inbox(name))

    # --- Storing ------------------------------------------------------------------------------------

    def begin(self, record):
        """A request is about to be sent, perhaps once more because its answer was lost."""
        with self.lock:
            inbox = self.inboxes[record.inbox]
            self.gone.pop(record.token, None)
            self.erased_inboxes.discard(record.inbox)
            record.state, record.floor, record.epoch = PENDING, self.highest, inbox.erasures + inbox.erasing
            inbox.begun += 1
            record.note("sent")
            inbox.records[record.token] = self.live[record.token] = record

    def acknowledge(self, record, id, seq=None):
        with self.lock:
            record.note("acknowledged")
            if record.id is not None and record.id != id:
                raise Fault(f"{record} was answered with {id}")
            record.id = id
            if seq is not None:
                if seq <= record.floor:
                    raise Fault(f"{record} got number {seq}, and {record.floor} was given before it was sent")
                record.seq = seq
                self.highest = max(self.highest, seq)
            inbox = self.inboxes[record.inbox]
            overlaps = inbox.erasing > 0 or inbox.erasures != record.epoch
            record.state = DOUBTFUL if overlaps else STORED
            record.was_stored = True
            self.counts["acknowledged"] += 1

    def known(self, rng, state=STORED):
        """Any record of a state; nil when few tries find none."""
        with self.lock:
            tokens = list(self.inboxes[rng.choice(list(self.inboxes))].records.values()) if self.inboxes else []
        for _ in range(8):
            if tokens and (record := rng.choice(tokens)).state == state and record.id:
                return record
        return None

    # --- Erasing ------------------------------------------------------------------------------------

    def begin_erasing(self, record):
        """Whether this record may be erased now."""
        with self.lock:
            if record.state != STORED:
                return False
            record.state = DOUBTFUL
            record.note("asked to be erased")
            return True

    def erased(self, record):
        with self.lock:
            self._forget(record)
            self.counts["erased"] += 1

    def mark(self, record):
        """Changes when something may have taken a record away."""
        inbox = self.inboxes[record.inbox]
        return inbox.erasures, inbox.erasing, record.state

    def not_found(self, record, mark):
        """A record that was stored and is not there: only where something may have taken it away since the mark."""
        with self.lock:
            if self.retention or self.mark(record) != mark or mark[1] > 0:
                return
        raise Fault(f"{record} is not found")

    def begin_erasing_inbox(self, name):
        """The records that it must take away."""
        with self.lock:
            inbox = self.inboxes[name]
            inbox.erasing += 1
            taken = [record for record in inbox.records.values() if record.state in (STORED, DOUBTFUL)]
            for record in taken:
                record.state = DOUBTFUL
                record.note("asked to be erased with its inbox")
            return taken

    def erased_inbox(self, name, taken):
        with self.lock:
            inbox = self.inboxes[name]
            inbox.erasing -= 1
            inbox.erasures += 1
            for record in taken:
                self._forget(record)
            self.counts["erased"] += len(taken)
            if not inbox.records:
                self.erased_inboxes.add(name)

    def _forget(self, record):
        if record.state == GONE:
            return
        record.note("gone")
        record.state = GONE
        self.live.pop(record.token, None)
        self.inboxes[record.inbox].records.pop(record.token, None)
        self.gone[record.token] = record

    # --- Looking ------------------------------------------------------------------------------------

    def look(self, rows, now):
        """Compares all results of the store, by token, with what must be there; nothing is under way meanwhile."""
        with self.lock:
            self.unanswered = [record for record in self.live.values() if record.state == PENDING and record.key]
            for token, row in rows.items():
                record = self.live.get(token)
                if record is None:
                    gone = self.gone.get(token)
                    raise Fault(f"{gone} came back: {row}" if gone
                                else f"{token} was never sent, and is there: {row}")
                self._found(record, row)
            for record in [record for token, record in self.live.items() if token not in rows]:
                self._missing(record, now)
            for inbox in self.inboxes.values():
                inbox.erasing = 0
                inbox.erasures += 1
                self._check_expired(inbox)

    def _found(self, record, row):
        if record.inbox != row["inbox"]:
            raise Fault(f"{record} was sent to {record.inbox}, and is in {row['inbox']}")
        if record.id is not None and record.id != row["id"]:
            raise Fault(f"{record} is there as {row['id']}")
        if record.seq is not None and (row["seq"] < record.seq if record.renewed else row["seq"] != record.seq):
            raise Fault(f"{record} is there with number {row['seq']}")
        if record.state == PENDING:
            self.counts["recovered"] += 1
        record.note("found")
        record.id, record.seq, record.state, record.was_stored = row["id"], row["seq"], STORED, True
        self.highest = max(self.highest, record.seq)

    def _missing(self, record, now):
        if record.state == STORED:
            days = self.retention.get("days")
            is_old = days is not None and record.moment is not None and record.moment < now - days * DAY + HOUR
            if not is_old and "inbox_results" not in self.retention:
                raise Fault(f"{record} is lost")
            self.inboxes[record.inbox].expired += 0 if is_old else 1
            self.counts["expired"] += 1
        self._forget(record)

    def _check_expired(self, inbox):
        limit = self.retention.get("inbox_results")
        if limit is None:
            return
        kept = limit - limit // 16
        if inbox.expired > max(0, inbox.begun - kept):
            raise Fault(f"{inbox.expired} of {inbox.begun} results of {inbox.name} are lost; {kept} must be kept")

    # --- The end ------------------------------------------------------------------------------------

    def unwelcome(self):
        """Tokens and names that no file may hold after a compaction: of records that were stored and are erased, and of
        erased inboxes to which nothing was sent since."""
        tokens = {token for token, record in self.gone.items() if record.was_stored}
        return tokens, self.erased_inboxes


def milliseconds():
    return int(time.time() * 1000)
