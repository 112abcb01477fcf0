"""Load: wrk with what it costs the server, and connections that only wait."""

import os
import re
import resource
import selectors
import socket
import subprocess
import time
from dataclasses import dataclass

from harness import builds, processes
from harness.failure import Failure

WRK_THREADS = 1  # It is far from busy, and two would take the servers' cores from them.
LOAD_SCRIPT = os.path.join(builds.BENCHMARKS, "load.lua")


@dataclass(frozen=True)
class Run:
    """The figures of one run."""

    requests: int
    requests_per_second: float
    p50_milliseconds: float
    p99_milliseconds: float
    cpu_microseconds: float
    """CPU time of the server for one request."""
    memory_bytes: int
    """Resident memory of the server right after the run, shared pages once."""
    others_share: float
    """Share of the machine's CPU time that neither the server nor wrk used."""


def run(server, path, connections, seconds, form=None):
    """Loads `path` for a while; a file `form` is posted. Fails on any answer that is no success."""
    cpu, busy = processes.settled_cpu_seconds(server.pid), processes.machine_busy_seconds()
    own, start = _own_seconds(), time.monotonic()
    figures = _wrk(server.url(path), connections, seconds, form)
    cpu = processes.settled_cpu_seconds(server.pid) - cpu
    busy = processes.machine_busy_seconds() - busy
    others = busy - cpu - (_own_seconds() - own)
    share = max(0, others) / (time.monotonic() - start) / os.cpu_count()
    server.check_running()
    requests, duration, bad_statuses, socket_errors, p50, p99 = figures
    if bad_statuses or socket_errors or not requests:
        raise Failure(
            f"{server.name} {path}: {requests:.0f} requests, of them {bad_statuses:.0f} refused; "
            f"{socket_errors:.0f} connections failed or timed out")
    return Run(
        requests=int(requests), requests_per_second=requests / duration, p50_milliseconds=p50,
        p99_milliseconds=p99, cpu_microseconds=cpu / requests * 1e6,
        memory_bytes=processes.proportional_bytes(server.pid), others_share=share)


def _wrk(url, connections, seconds, form):
    command = [
        "wrk", "--threads", str(WRK_THREADS), "--connections", str(connections),
        "--duration", f"{seconds}s", "--timeout", "5s", "--script", LOAD_SCRIPT, url,
    ]
    command += ["--", form] if form else []
    outcome = subprocess.run(
        command, capture_output=True, text=True, timeout=seconds + 30, check=False)
    found = re.search(r"^figures (.+)$", outcome.stdout, re.MULTILINE)
    if outcome.returncode != 0 or not found:
        raise Failure(f"wrk failed on {url}:\n{outcome.stdout}{outcome.stderr}")
    return [float(figure) for figure in found.group(1).split()]


def _own_seconds():
    """CPU time of this program and of the wrks that it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def raise_descriptor_limit():
    """As many descriptors as are allowed, for this process and the servers it starts."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class IdleConnections:
    """Connections that are open and wait; a context manager that closes them."""

    def __init__(self, server, count):
        """Opens `count` connections and returns when the server has had time to accept them."""
        self._sockets = []
        try:
            for _ in range(count):
                self._sockets.append(
                    socket.create_connection(("127.0.0.1", server.port), timeout=5))
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

    def use_once(self, server, path):
        """One request on each, answered: from then on they wait for their second."""
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()
        for connection in self._sockets:
            connection.sendall(request)
        with selectors.DefaultSelector() as selector:
            for connection in self._sockets:
                selector.register(connection, selectors.EVENT_READ)
            while selector.get_map():
                ready = selector.select(timeout=5)
                if not ready:
                    raise Failure(f"{server.name}: {len(selector.get_map())} got no answer")
                for key, _ in ready:
                    if not key.fileobj.recv(65536).startswith(b"HTTP/1.1 200"):
                        raise Failure(f"{server.name}: an idle connection was not answered")
                    selector.unregister(key.fileobj)
        processes.settled_cpu_seconds(server.pid)
