"""What is measured: each scenario starts its servers, checks their answers, and loads them."""

import json
import os
import statistics
from dataclasses import dataclass, fields

from harness import (
    builds, growth, ingest, library, load, materials, pages, processes, rows, servers, starting,
    store, visible, waiting)
from harness.crowds import IdleConnections, SlowClients
from harness.failure import Failure
from harness.stage import Scenario, progress, started

ACTIVE_CONNECTIONS = 64
MANY_CONNECTIONS = 256
STATIC_CONNECTIONS = 8
HANDSHAKE_CLIENTS = 16
IDLE_CONNECTIONS = 10_000
CROWDS = (10, 1000, 10_000)
"""Idle connections beside the active ones, fewest first."""
SLOW_ACTIVE_CONNECTIONS = 32
SLOW_IDLE_CONNECTIONS = 2000
SLOW_CLIENTS = 500
WARM_UP_SECONDS = 1


@dataclass(frozen=True)
class Memory:
    """Memory of one server."""

    idle_bytes: int
    """Resident memory right after the start."""
    idle_proportional_bytes: int
    """The same with shared pages counted once."""
    connected_bytes: float
    """Growth for each connection that has sent nothing yet, but for its TLS handshake."""
    kept_alive_bytes: float
    """Growth for each connection that waits for its second request."""


def _idle(scenario, plan):
    """Resident memory: after the start, and for each waiting connection. `Memory` by server."""
    figures = {}
    for name in scenario.servers:
        progress(f"idle: {name}")
        with started(scenario, plan, [name]) as (server,):
            _check_association(server)
            processes.settled_cpu_seconds(server.pid)
            idle = processes.resident_bytes(server.pid)
            proportional = processes.proportional_bytes(server.pid)
            with IdleConnections(server, IDLE_CONNECTIONS) as connections:
                connected = processes.proportional_bytes(server.pid)
                connections.use_once(servers.ASSOCIATION_PATH)
                kept_alive = processes.proportional_bytes(server.pid)
                connections.check_open()
        figures[name] = Memory(
            idle_bytes=idle, idle_proportional_bytes=proportional,
            connected_bytes=(connected - proportional) / IDLE_CONNECTIONS,
            kept_alive_bytes=(kept_alive - proportional) / IDLE_CONNECTIONS)
    return figures


def _association(scenario, plan):
    """Keep-alive GET of the link file. The median run by server."""
    with started(scenario, plan) as running:
        for server in running:
            _check_association(server)
        return _alternate("link file", running, plan, load.Requests(
            servers.ASSOCIATION_PATH, ACTIVE_CONNECTIONS))


def _callback(scenario, plan):
    """POST of a Flux callback as a form. The median run by server."""
    with started(scenario, plan) as running:
        for server in running:
            _check_callback(server)
        medians = _alternate("callback", running, plan, load.Requests(
            materials.CALLBACK_PATH, scenario.connections, materials.CALLBACK_FORM))
        _check_stored(running[0], medians.total_requests["landfall"])
        return medians


def _post(scenario, plan):
    """POST of the same form where it is only counted. The median run by server."""
    with started(scenario, plan) as running:
        for server in running:
            _check_callback(server)
        return _alternate("small POST", running, plan, load.Requests(
            materials.CALLBACK_PATH, ACTIVE_CONNECTIONS, materials.CALLBACK_FORM))


def _static(scenario, plan):
    """Keep-alive GET of the large file. The median run by server."""
    with started(scenario, plan) as running:
        for server in running:
            status, _, content = server.request("GET", servers.LARGE_FILE_PATH)
            if status != 200 or len(content) != materials.LARGE_FILE_BYTES:
                raise Failure(f"{server.name} does not serve the large file: {status}")
        return _alternate("large file", running, plan, load.Requests(
            servers.LARGE_FILE_PATH, STATIC_CONNECTIONS))


def _handshakes(scenario, plan):
    """Full TLS handshakes, each with one GET of the link file. The median run by server."""
    with started(scenario, plan) as running:
        for server in running:
            _check_association(server)
        return _alternate("handshakes", running, plan, load.Handshakes(
            servers.ASSOCIATION_PATH, os.path.getsize(builds.ASSOCIATION), HANDSHAKE_CLIENTS))


def _crowd(scenario, plan):
    """Keep-alive GET of the link file amid idle connections. The median runs by crowd."""
    work = load.Requests(servers.ASSOCIATION_PATH, ACTIVE_CONNECTIONS)
    with started(scenario, plan) as running:
        _warm("crowd", running, work)
        runs = {count: {server.name: [] for server in running} for count in CROWDS}
        for number in range(1, plan.rounds + 1):
            for count in CROWDS:
                for server in running:
                    with IdleConnections(server, count) as connections:
                        connections.use_once(servers.ASSOCIATION_PATH)
                        run = load.run(server, work, plan.seconds)
                        connections.check_open()
                    runs[count][server.name].append(run)
                    _progress_of_round(f"{count} idle", number, plan, server, run)
        return {count: Medians(of_crowd) for count, of_crowd in runs.items()}


def _slow(scenario, plan):
    """Good requests alone, then amid idle and slow clients: two median runs by server."""
    work = load.Requests(servers.ASSOCIATION_PATH, SLOW_ACTIVE_CONNECTIONS)
    with started(scenario, plan) as running:
        _warm("slow", running, work)
        quiet, crowded = ({server.name: [] for server in running} for _ in range(2))
        for number in range(1, plan.rounds + 1):
            for server in running:
                run = load.run(server, work, plan.seconds)
                quiet[server.name].append(run)
                _progress_of_round("quiet", number, plan, server, run)
                with IdleConnections(server, SLOW_IDLE_CONNECTIONS) as idle, \
                        SlowClients(server, SLOW_CLIENTS) as slow:
                    run = load.run(server, work, plan.seconds)
                    slow.check()
                    idle.check_open()
                crowded[server.name].append(run)
                _progress_of_round(
                    f"slow clients ({slow.reopened} cut off)", number, plan, server, run)
        return {"quiet": Medians(quiet), "crowded": Medians(crowded)}


SCENARIOS = {
    "idle": Scenario(_idle, ("landfall", "nginx", "hummingbird")),
    "aasa": Scenario(_association, ("landfall", "nginx-tuned", "nginx", "hummingbird")),
    "callback": Scenario(
        _callback, ("landfall", "hummingbird", "hummingbird-store"),
        connections=ACTIVE_CONNECTIONS),
    "callback-256": Scenario(
        _callback, ("landfall", "hummingbird", "hummingbird-store"),
        connections=MANY_CONNECTIONS),
    "post": Scenario(_post, ("landfall-counter", "hummingbird")),
    "static-1m": Scenario(_static, ("landfall", "nginx"), has_large_file=True),
    "crowd": Scenario(_crowd, ("landfall", "nginx")),
    "slow": Scenario(_slow, ("landfall", "nginx")),
    "tls-handshake": Scenario(_handshakes, ("landfall", "nginx"), has_tls=True),
    "tls-requests": Scenario(_association, ("landfall", "nginx"), has_tls=True),
    "tls-idle": Scenario(_idle, ("landfall", "nginx"), has_tls=True),
    "store": Scenario(store.measure, ("landfall",)),
    "rows": Scenario(rows.measure, (rows.PROGRAM,)),
    "ingest": Scenario(ingest.measure, ("landfall",)),
    "wait": Scenario(waiting.measure, ("landfall",)),
    "growth": Scenario(growth.measure, ("landfall",)),
    "pages": Scenario(pages.measure, ("landfall",)),
    "visible": Scenario(visible.measure, ("landfall",)),
    "start": Scenario(starting.measure, ("landfall",)),
    "library": Scenario(library.measure, (library.PROGRAM,)),
}
"""All scenarios, in the order in which they are measured."""


class Medians(dict):
    """The median run by server, figure by figure; and how many requests each answered in all."""

    def __init__(self, runs):
        super().__init__(
            (name, load.Run(**{
                field.name: statistics.median(getattr(run, field.name) for run in own)
                for field in fields(load.Run)}))
            for name, own in runs.items())
        self.cpu_ranges = {
            name: (min(costs), max(costs))
            for name, own in runs.items() for costs in [[run.cpu_microseconds for run in own]]}
        self.total_requests = {
            name: sum(run.requests for run in own) for name, own in runs.items()}


def _alternate(what, running, plan, work):
    """Loads the servers in turns, so that a change of the machine's pace meets them all."""
    _warm(what, running, work)
    runs = {server.name: [] for server in running}
    for number in range(1, plan.rounds + 1):
        for server in running:
            run = load.run(server, work, plan.seconds)
            runs[server.name].append(run)
            _progress_of_round(what, number, plan, server, run)
    return Medians(runs)


def _warm(what, running, work):
    for server in running:
        progress(f"{what}: warming {server.name}")
        load.run(server, work, WARM_UP_SECONDS)


def _check_association(server):
    status, fields_, content = server.request("GET", servers.ASSOCIATION_PATH)
    with open(builds.ASSOCIATION, "rb") as file:
        is_same = content == file.read()
    if status != 200 or not is_same or fields_["Content-Type"] != "application/json":
        raise Failure(f"{server.name} does not serve the link file: {status} {content[:300]!r}")


def _check_callback(server):
    with open(materials.CALLBACK_FORM, "rb") as file:
        form = file.read()
    status, _, content = server.request(
        "POST", materials.CALLBACK_PATH, body=form,
        headers={"Content-Type": "application/x-www-form-urlencoded"})
    answer = json.loads(content) if status == 201 else {}
    if server.name in ("landfall", "hummingbird-store"):
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


def _progress_of_round(what, number, plan, server, run):
    progress(
        f"{what}: round {number} of {plan.rounds}, {server.name}: "
        f"{run.requests_per_second:.0f}/s, {run.cpu_microseconds:.2f} us of CPU")
