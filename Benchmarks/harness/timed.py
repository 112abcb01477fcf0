"""Connections that know when their responses arrived.

A response arrives when the kernel receives it, not when this program reads it: while the server and its
load use all cores, the second would measure how long this program waits for one of them.
"""

import socket
import struct
import time

from harness.failure import Failure

# What <asm-generic/socket.h> calls SO_TIMESTAMPNS_OLD; Python has no name for it.
TIMESTAMPS = 35
TIMESTAMP = struct.Struct("@ll")


class Connection:
    """A kept-alive connection for one request at a time; a context manager that closes it."""

    def __init__(self, server):
        self.socket = server.connect()
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setsockopt(socket.SOL_SOCKET, TIMESTAMPS, 1)
        self._name = server.name
        self._received = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, request):
        """Sends a request, and returns when that began, in nanoseconds."""
        sent = time.time_ns()
        self.socket.sendall(request)
        return sent

    def exchange(self, request):
        """Sends a request; when that began, and its response as `read` gives it."""
        sent = self.send(request)
        while (response := self.read()) is None:
            pass
        return sent, *response

    def read(self):
        """Head, content, and the time of arrival in nanoseconds; None before the response is whole."""
        data, notes, _, _ = self.socket.recvmsg(65536, 64)
        if not data:
            raise Failure(f"{self._name} closed a connection that waited for its response")
        arrived = next(
            (seconds * 1_000_000_000 + nanoseconds
             for level, kind, note in notes if (level, kind) == (socket.SOL_SOCKET, TIMESTAMPS)
             for seconds, nanoseconds in [TIMESTAMP.unpack(note)]), None)
        if arrived is None:
            raise Failure("the kernel says not when packets arrive")
        self._received += data
        head, end, content = self._received.partition(b"\r\n\r\n")
        if not end or len(content) < self._content_length(head):
            return None
        self._received = b""
        return head, content, arrived

    def _content_length(self, head):
        for line in head.split(b"\r\n")[1:]:
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                return int(value)
        raise Failure(f"{self._name} responds without a length: {head[:300]!r}")


def get(target):
    """A request for a target."""
    return f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()


def post(target, form):
    """A request that posts the bytes of a form."""
    return (
        f"POST {target} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(form)}\r\n\r\n").encode() + form
