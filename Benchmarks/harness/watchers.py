"""Clients that wait for results, or follow the stream of them, while callbacks arrive.

They are sockets of one thread, which drops what they receive but for the count of results.
"""

import re
import selectors
import threading

from harness import processes, timed
from harness.failure import Failure

WAIT, STREAM = "waits", "streams"
INBOXES = 1000
"""Watchers that match have the inboxes `w0`, `w1` … one each."""
OPEN_SECONDS = 30
WAIT_TARGET = "/api/v1/results/wait?inbox={inbox}&count=1&within=5m&after=now"
STREAM_TARGET = "/api/v1/results/stream?inbox={inbox}"
RESULT = re.compile(rb"\nevent: result\n")
GAP = re.compile(rb"event: gap\n")


class Watchers:
    """So many clients of one kind; a context manager that begins to read, and closes them.

    Those that match see each callback once in all: number n has the inbox `wn`. A wait that has its
    result is asked again at once. Those that don't match have an inbox that nothing arrives in.
    """

    def __init__(self, server, count, kind, matches):
        self._server, self._kind, self._matches = server, kind, matches
        self._target = WAIT_TARGET if kind == WAIT else STREAM_TARGET
        self._stop, self._failure = threading.Event(), None
        self._thread = threading.Thread(target=self._read)
        self._connections = []
        self.received, self.gaps = 0, 0
        """Results, and gaps in place of results, of all."""
        try:
            for number in range(count):
                self._connections.append(timed.Connection(server))
                self._ask(number)
            self._await_streams()
        except BaseException:
            self._close()
            raise
        processes.settled_cpu_seconds(server.pid)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()
        self._close()
        processes.settled_cpu_seconds(self._server.pid)

    def check(self):
        """Fails unless all go on, and have received something only where they match."""
        if self._failure:
            raise Failure(f"{self._server.name}: one that {self._kind} can't go on: {self._failure}")
        if bool(self.received) != self._matches:
            raise Failure(
                f"{self._server.name}: {self._kind} received {self.received} results")

    def _ask(self, number):
        inbox = f"w{number}" if self._matches else "nothing"
        self._connections[number].send(timed.get(self._target.format(inbox=inbox)))

    def _close(self):
        for connection in self._connections:
            connection.socket.close()

    def _await_streams(self):
        """Returns when each stream is open. A wait says nothing until it ends."""
        if self._kind == WAIT:
            return
        for connection in self._connections:
            connection.socket.settimeout(OPEN_SECONDS)
            head = b""
            while b": results as they arrive" not in head:
                data = connection.socket.recv(65536)
                head += data
                if not data or not head.startswith(b"HTTP/1.1 200 "[:len(head)]):
                    raise Failure(f"{self._server.name} opens no stream: {head[:300]!r}")

    def _read(self):
        with selectors.DefaultSelector() as selector:
            for number, connection in enumerate(self._connections):
                connection.socket.setblocking(False)
                selector.register(connection.socket, selectors.EVENT_READ, number)
            try:
                while not self._stop.is_set():
                    for key, _ in selector.select(timeout=0.05):
                        self._take(key.data)
            except (OSError, Failure) as failure:
                self._failure = failure

    def _take(self, number):
        connection = self._connections[number]
        if self._kind == STREAM:
            data = connection.socket.recv(1 << 18)
            if not data:
                raise Failure("the server closed its connection")
            self.received += len(RESULT.findall(data))
            self.gaps += len(GAP.findall(data))
        elif response := connection.read():
            if not response[0].startswith(b"HTTP/1.1 200 "):
                raise Failure(f"its response is {response[0][:300]!r}")
            self.received += 1
            self._ask(number)
