"""Load, and what it costs the server: requests by wrk, TLS handshakes by openssl."""

import math
import os
import re
import subprocess
import time
from dataclasses import dataclass

from harness import builds, processes
from harness.failure import Failure

WRK_THREADS = 1  # It is far from busy, and two would take the servers' cores from them.
LOAD_SCRIPT = os.path.join(builds.BENCHMARKS, "load.lua")
CLIENT_TLS = os.path.join(builds.BENCHMARKS, "client-tls.cnf")


@dataclass(frozen=True)
class Run:
    """The figures of one run."""

    requests: int
    requests_per_second: float
    bytes_per_second: float
    """What the responses came to, heads included."""
    p50_milliseconds: float
    p99_milliseconds: float
    """Not a number where the load can't tell, as the other percentile."""
    cpu_microseconds: float
    """CPU time of the server for one request."""
    memory_bytes: int
    """Resident memory of the server right after the run, shared pages once."""
    others_share: float
    """Share of the machine's CPU time that neither the server nor the load used."""


@dataclass(frozen=True)
class Outcome:
    """What a load has seen."""

    requests: int
    seconds: float
    response_bytes: float
    p50_milliseconds: float = math.nan
    p99_milliseconds: float = math.nan


@dataclass(frozen=True)
class Requests:
    """As many requests for `path` as are answered on kept-alive connections.

    A file `form` is posted. The requests of a file `mixture` (see `results.write_callbacks`) are
    posted in turn, each to its own path. After `limit` responses nothing more is sent: what it came to
    in a second then means nothing.
    """

    path: str
    connections: int
    form: str | None = None
    mixture: str | None = None
    limit: int | None = None

    def put_on(self, server, seconds):
        """Loads the server. Fails on any answer that is no success."""
        command = [
            "wrk", "--threads", str(WRK_THREADS), "--connections", str(self.connections),
            "--duration", f"{seconds}s", "--timeout", "5s", "--script", LOAD_SCRIPT,
            server.url(self.path), "--",
        ]
        for name in ("form", "mixture", "limit"):
            if value := getattr(self, name):
                command += [name, str(value)]
        outcome = subprocess.run(
            command, capture_output=True, text=True, timeout=seconds + 30, check=False,
            env=_client_environment())
        found = re.search(r"^figures (.+)$", outcome.stdout, re.MULTILINE)
        if outcome.returncode != 0 or not found:
            raise Failure(
                f"wrk failed on {server.url(self.path)}:\n{outcome.stdout}{outcome.stderr}")
        requests, duration, bad_statuses, socket_errors, p50, p99, response_bytes = (
            float(figure) for figure in found.group(1).split())
        if bad_statuses or socket_errors or not requests:
            raise Failure(
                f"{server.name} {self.path}: {requests:.0f} requests, of them {bad_statuses:.0f} "
                f"refused; {socket_errors:.0f} connections failed or timed out")
        return Outcome(int(requests), duration, response_bytes, p50, p99)


@dataclass(frozen=True)
class Handshakes:
    """Connections with a full TLS handshake and one request for `path`, one after the other.

    wrk is of no use here: it resumes sessions wherever a server hands it tickets.
    """

    path: str
    content_bytes: int
    """Size of what is behind `path`."""
    clients: int
    """How many go on at the same time."""

    def put_on(self, server, seconds):
        """Loads the server. Fails on a connection without its answer, and on a resumed session."""
        command = [
            "openssl", "s_time", "-connect", f"127.0.0.1:{server.port}", "-www", self.path,
            "-new", "-time", str(seconds),
        ]
        start, running = time.monotonic(), []
        try:
            for _ in range(self.clients):
                running.append(subprocess.Popen(
                    command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                    env=_client_environment()))
            outputs = [client.communicate(timeout=seconds + 30)[0] for client in running]
        except subprocess.TimeoutExpired as error:
            raise Failure(f"{server.name}: openssl s_time does not end") from error
        finally:
            for client in running:
                client.kill()
                client.wait()
        duration = time.monotonic() - start
        counts = [self._count(server, output) for output in outputs]
        return Outcome(
            requests=sum(connections for connections, _ in counts), seconds=duration,
            response_bytes=sum(connections * size for connections, size in counts))

    def _count(self, server, output):
        """Connections of one client, and the bytes of each answer."""
        # One character a connection: a star, or r for a session that was resumed.
        kinds = re.search(r"^[*rtT3]+$", output, re.MULTILINE)
        totals = re.search(
            r"^(\d+) connections in \d+ real seconds, (\d+) bytes read", output, re.MULTILINE)
        if not kinds or not totals:
            raise Failure(f"openssl s_time failed on {server.name}:\n{output[-2000:]}")
        if set(kinds.group()) != {"*"}:
            raise Failure(f"{server.name} resumed sessions: these were no full handshakes")
        connections, size = int(totals.group(1)), int(totals.group(2))
        if size < self.content_bytes:
            raise Failure(f"{server.name} answered {size} bytes on average, which is too few")
        return connections, size


class Meter:
    """What a server and other programs use of the CPU from its making on."""

    def __init__(self, server):
        self._server = server
        self._cpu = processes.settled_cpu_seconds(server.pid)
        self._busy, self._own = processes.machine_busy_seconds(), _own_seconds()
        self._start = time.monotonic()

    def read(self):
        """The server's CPU time in seconds, and the share of the machine that others took."""
        cpu = processes.settled_cpu_seconds(self._server.pid) - self._cpu
        busy = processes.machine_busy_seconds() - self._busy
        others = busy - cpu - (_own_seconds() - self._own)
        return cpu, max(0, others) / (time.monotonic() - self._start) / os.cpu_count()


def run(server, load, seconds):
    """Puts a load on a server for a while, and says what it came to."""
    meter = Meter(server)
    try:
        outcome = load.put_on(server, seconds)
    finally:
        server.check_running()  # If it has ended, that is the reason for everything else.
    cpu, share = meter.read()
    return Run(
        requests=outcome.requests, requests_per_second=outcome.requests / outcome.seconds,
        bytes_per_second=outcome.response_bytes / outcome.seconds,
        p50_milliseconds=outcome.p50_milliseconds, p99_milliseconds=outcome.p99_milliseconds,
        cpu_microseconds=cpu / outcome.requests * 1e6,
        memory_bytes=processes.proportional_bytes(server.pid), others_share=share)


def _client_environment():
    """With it OpenSSL's clients, wrk among them, offer one protocol, one cipher and one group."""
    return {**os.environ, "OPENSSL_CONF": CLIENT_TLS}


def _own_seconds():
    """CPU time of this program and of the loads that it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
