"""What is measured: each scenario starts its servers, checks their answers, and loads them."""

import contextlib
import json
import os
import statistics
import sys
import tempfile
from dataclasses import dataclass, fields

from harness import builds, load, processes, servers
from harness.failure import Failure

ASSOCIATION_CONNECTIONS = 64
CALLBACK_CONNECTIONS = 256
IDLE_CONNECTIONS = 2000
WARM_UP_SECONDS = 1
CALLBACK_PATH = "/callbacks/dimmy"
CALLBACK_FORM = os.path.join(builds.BENCHMARKS, "callback.form")
STARTERS = {
    "landfall": servers.start_landfall,
    "nginx": servers.start_nginx,
    "hummingbird": servers.start_hummingbird,
}


@dataclass(frozen=True)
class Memory:
    """Memory of one server."""

    idle_bytes: int
    """Resident memory right after the start."""
    idle_proportional_bytes: int
    """The same with shared pages counted once."""
    connected_bytes: float
    """Growth for each connection that has sent nothing yet."""
    kept_alive_bytes: float
    """Growth for each connection that waits for its second request."""


def association(binaries, rounds, seconds):
    """Keep-alive GET of the link file. Returns the median run by server."""
    with _started(["landfall", "nginx", "hummingbird"], binaries) as running:
        for server in running:
            _check_association(server)
        return _alternate(
            "aasa", running, rounds, seconds, path=servers.ASSOCIATION_PATH,
            connections=ASSOCIATION_CONNECTIONS)


def callback(binaries, rounds, seconds):
    """POST of a Flux callback as a form. Returns the median run by server."""
    with _started(["landfall", "hummingbird"], binaries) as running:
        for server in running:
            _check_callback(server)
        medians = _alternate(
            "callback", running, rounds, seconds, path=CALLBACK_PATH,
            connections=CALLBACK_CONNECTIONS, form=CALLBACK_FORM)
        _check_stored(running[0], medians.total_requests["landfall"])
        return medians


def memory(binaries):
    """Resident memory: idle, and for each waiting connection. Returns `Memory` by server."""
    figures = {}
    for name in STARTERS:
        _progress(f"memory: {name}")
        with _started([name], binaries) as (server,):
            processes.settled_cpu_seconds(server.pid)
            idle = processes.resident_bytes(server.pid)
            proportional = processes.proportional_bytes(server.pid)
            with load.IdleConnections(server, IDLE_CONNECTIONS) as connections:
                connected = processes.proportional_bytes(server.pid)
                connections.use_once(server, servers.ASSOCIATION_PATH)
                kept_alive = processes.proportional_bytes(server.pid)
        figures[name] = Memory(
            idle_bytes=idle, idle_proportional_bytes=proportional,
            connected_bytes=(connected - proportional) / IDLE_CONNECTIONS,
            kept_alive_bytes=(kept_alive - proportional) / IDLE_CONNECTIONS)
    return figures


class Medians(dict):
    """The median run by server, figure by figure; and how many requests each answered in all."""

    def __init__(self, runs):
        super().__init__(
            (name, load.Run(**{
                field.name: statistics.median(getattr(run, field.name) for run in own)
                for field in fields(load.Run)}))
            for name, own in runs.items())
        self.total_requests = {
            name: sum(run.requests for run in own) for name, own in runs.items()}


def _alternate(scenario, running, rounds, seconds, **load_arguments):
    """Loads the servers in turns, so that a change of the machine's pace meets them all."""
    for server in running:
        _progress(f"{scenario}: warming {server.name}")
        load.run(server, seconds=WARM_UP_SECONDS, **load_arguments)
    runs = {server.name: [] for server in running}
    for number in range(1, rounds + 1):
        for server in running:
            run = load.run(server, seconds=seconds, **load_arguments)
            runs[server.name].append(run)
            _progress(
                f"{scenario}: round {number} of {rounds}, {server.name}: "
                f"{run.requests_per_second:.0f}/s, {run.cpu_microseconds:.2f} us of CPU")
    return Medians(runs)


@contextlib.contextmanager
def _started(names, binaries):
    """Starts servers in folders that go with them.

    The folders are beside the build, on a real disk: where /tmp is in memory, nothing is durable.
    """
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(
            prefix="run-", dir=builds.SCRATCH, ignore_cleanup_errors=True))
        running = []
        for name in names:
            place = os.path.join(folder, name)
            os.mkdir(place)
            server = STARTERS[name](place, binaries.get(name))
            stack.callback(server.stop)
            running.append(server)
        yield running


def _check_association(server):
    status, fields_, content = server.request("GET", servers.ASSOCIATION_PATH)
    with open(builds.ASSOCIATION, "rb") as file:
        is_same = content == file.read()
    if status != 200 or not is_same or fields_["Content-Type"] != "application/json":
        raise Failure(f"{server.name} does not serve the link file: {status} {content[:300]!r}")


def _check_callback(server):
    with open(CALLBACK_FORM, "rb") as file:
        form = file.read()
    status, _, content = server.request(
        "POST", CALLBACK_PATH, body=form,
        headers={"Content-Type": "application/x-www-form-urlencoded"})
    answer = json.loads(content) if status == 201 else {}
    if server.name == "landfall":
        is_right = answer.get("verdict") == "decoded"
    else:
        is_right = answer.get("bytes") == len(form)
    if not is_right:
        raise Failure(f"{server.name} does not take the callback: {status} {content[:300]!r}")


def _check_stored(landfall, answered):
    """Every callback that was answered is a line on disk."""
    results = os.path.join(landfall.folder, "data", "results")
    stored = 0
    for name in os.listdir(results):
        with open(os.path.join(results, name), "rb") as file:
            while block := file.read(1 << 20):
                stored += block.count(b"\n")
    if stored < answered:
        raise Failure(f"landfall answered {answered} callbacks and stored {stored}")


def _progress(text):
    print(text, file=sys.stderr)
