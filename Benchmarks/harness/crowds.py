"""Connections that cost a server something without a load: idle ones, and slow ones."""

import resource
import selectors
import threading

from harness import processes
from harness.failure import Failure, MissingTool

SPARE_DESCRIPTORS = 500


def raise_descriptor_limit():
    """As many descriptors as are allowed, for this process and the servers it starts."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class IdleConnections:
    """Connections that are open and wait; a context manager that closes them."""

    def __init__(self, server, count):
        """Opens `count` connections and returns when the server has had time to accept them."""
        allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if allowed < count + SPARE_DESCRIPTORS:
            raise MissingTool(
                f"{count} connections need a limit of {count + SPARE_DESCRIPTORS} open files "
                f"(ulimit -Hn), and it is {allowed}")
        self._server, self._sockets = server, []
        try:
            for _ in range(count):
                self._sockets.append(server.connect())
        except OSError as error:
            self.close()
            raise Failure(
                f"{server.name}: connection {len(self._sockets) + 1} failed: {error}") from error
        processes.settled_cpu_seconds(server.pid)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Closes all."""
        for connection in self._sockets:
            connection.close()

    def use_once(self, path):
        """One request on each, answered: from then on they wait for their second."""
        name, port = self._server.name, self._server.port
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
        for connection in self._sockets:
            connection.sendall(request)
        with selectors.DefaultSelector() as selector:
            for connection in self._sockets:
                selector.register(connection, selectors.EVENT_READ)
            while selector.get_map():
                ready = selector.select(timeout=5)
                if not ready:
                    raise Failure(f"{name}: {len(selector.get_map())} got no answer")
                for key, _ in ready:
                    if not key.fileobj.recv(65536).startswith(b"HTTP/1.1 200"):
                        raise Failure(f"{name}: an idle connection was not answered")
                    selector.unregister(key.fileobj)
        processes.settled_cpu_seconds(self._server.pid)

    def check_open(self):
        """Fails when the server has closed any: the figures would be those of a smaller crowd."""
        with selectors.DefaultSelector() as selector:
            for connection in self._sockets:
                selector.register(connection, selectors.EVENT_READ)
            closed = len(selector.select(timeout=0))
        if closed:
            raise Failure(
                f"{self._server.name} closed {closed} or more of {len(self._sockets)} idle "
                "connections; shorter runs (--seconds) stay below its time limit")


class SlowClients:
    """Connections that send a head that never ends, a byte a second each; a context manager.

    A connection that the server closes is opened again, as an attacker would do.
    """

    TICKS_PER_SECOND = 50

    def __init__(self, server, count):
        """Opens `count` connections; they begin to send when the context is entered."""
        self._server = server
        self._head = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nX-Slow: ".encode()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._send)
        self._failure = None
        self._sockets, self._sent = [], [0] * count
        self.reopened = 0
        """How often the server had closed one."""
        try:
            for _ in range(count):
                self._sockets.append(self._open())
        except OSError as error:
            self._close()
            raise Failure(f"{server.name}: a slow client can't connect: {error}") from error

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()
        self._close()

    def check(self):
        """Fails when they could not go on."""
        if self._failure:
            raise Failure(f"{self._server.name}: a slow client can't go on: {self._failure}")

    def _open(self):
        connection = self._server.connect()
        connection.setblocking(False)
        return connection

    def _close(self):
        for connection in self._sockets:
            connection.close()

    def _send(self):
        """A part of them each tick, so that the bytes come evenly."""
        tick = 0
        while not self._stop.wait(1 / self.TICKS_PER_SECOND):
            try:
                for index in range(tick, len(self._sockets), self.TICKS_PER_SECOND):
                    self._step(index)
            except OSError as error:
                self._failure = error
                return
            tick = (tick + 1) % self.TICKS_PER_SECOND

    def _step(self, index):
        if self._is_closed(self._sockets[index]):
            self._sockets[index].close()
            self._sockets[index], self._sent[index] = self._open(), 0
            self.reopened += 1
        sent = self._sent[index]
        try:
            self._sockets[index].send(self._head[sent:sent + 1] or b"x")
        except ConnectionError:
            return  # Closed just now: its next turn finds out.
        self._sent[index] += 1

    @staticmethod
    def _is_closed(connection):
        try:
            connection.recv(65536)
            return True  # Its end, or the answer that comes before it.
        except BlockingIOError:
            return False
        except ConnectionError:
            return True
