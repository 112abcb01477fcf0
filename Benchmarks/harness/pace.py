"""Callbacks at a fixed pace, and how long each took."""

import collections
import selectors
import statistics
import time
from dataclasses import dataclass

from harness import materials, timed
from harness.failure import Failure
from harness.questions import percentile

PER_SECOND = 200
CONNECTIONS = 8
ANSWER_SECONDS = 30


@dataclass(frozen=True)
class Latency:
    """How long callbacks took, in milliseconds."""

    p50_milliseconds: float
    p99_milliseconds: float
    most_milliseconds: float


def latency(durations):
    """`Latency` of durations in milliseconds."""
    return Latency(statistics.median(durations), percentile(durations, 99), max(durations))


class PacedCallbacks:
    """Connections that share callbacks at a fixed pace; a context manager that closes them."""

    def __init__(self, server):
        self._name = server.name
        with open(materials.CALLBACK_FORM, "rb") as file:
            self._request = timed.post(materials.CALLBACK_PATH, file.read())
        self._all = [timed.Connection(server) for _ in range(CONNECTIONS)]
        # Used in turn: the server's loops share the connections, and all of the loops count.
        self._free = collections.deque(self._all)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for connection in self._all:
            connection.socket.close()

    def send(self, seconds):
        """Sends for so long; the milliseconds of each callback from when it was to be sent.

        A callback that finds all connections waiting is late by the server's fault, and its time counts
        from then. One that this program sends late by its own fault counts from its sending.
        """
        durations, late, begun = [], collections.deque(), {}
        start, due = time.time_ns(), 0
        total = int(seconds * PER_SECOND)
        with selectors.DefaultSelector() as selector:
            for connection in self._all:
                selector.register(connection.socket, selectors.EVENT_READ, connection)
            while len(durations) < total:
                while due < total and time.time_ns() >= (moment := self._moment(start, due)):
                    due += 1
                    if self._free:
                        connection = self._free.popleft()
                        begun[connection] = connection.send(self._request)
                    else:
                        late.append(moment)
                pause = (self._moment(start, due) - time.time_ns()) / 1e9 if due < total else None
                self._await(selector, pause, begun, late, durations)
        return durations

    @staticmethod
    def _moment(start, number):
        return start + number * 1_000_000_000 // PER_SECOND

    def _await(self, selector, pause, begun, late, durations):
        ready = selector.select(ANSWER_SECONDS if pause is None else max(0, pause))
        if not ready and pause is None:
            raise Failure(f"{self._name}: {len(begun)} callbacks have no response")
        for key, _ in ready:
            connection = key.data
            if not (response := connection.read()):
                continue
            head, content, arrived = response
            if not head.startswith(b"HTTP/1.1 201 ") or b'"verdict":"decoded"' not in content:
                raise Failure(f"{self._name} does not take the callback: {head[:300]!r}")
            durations.append((arrived - begun.pop(connection)) / 1e6)
            if late:
                connection.send(self._request)
                begun[connection] = late.popleft()
            else:
                self._free.append(connection)
