"""What scenarios share: what they are, how they are to be measured, and their running servers."""

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass

from harness import builds, materials, servers


@dataclass(frozen=True)
class Scenario:
    """One thing to measure."""

    measure: Callable
    """Called with the scenario and a plan; gives what the report knows to show."""
    servers: tuple
    has_tls: bool = False
    has_large_file: bool = False
    connections: int | None = None
    """Of the load; the scenario's own number if it isn't one of several."""


@dataclass(frozen=True)
class Plan:
    """How it is measured."""

    programs: dict
    """Paths of the servers' binaries by name."""
    rounds: int
    seconds: int
    ingest_seconds: int
    is_quick: bool = False
    """Whether a first impression will do: smaller stores, shorter ingestion."""
    has_ten_million: bool = False
    """Whether `growth` also has a store of ten million results."""


@contextlib.contextmanager
def scratch_folder():
    """A new folder, which goes with its context.

    It is beside the build, on a real disk: where /tmp is in memory, nothing is durable.
    """
    os.makedirs(builds.SCRATCH, exist_ok=True)
    with tempfile.TemporaryDirectory(
            prefix="run-", dir=builds.SCRATCH, ignore_cleanup_errors=True) as folder:
        yield folder


@contextlib.contextmanager
def started(scenario, plan, names=None):
    """Starts a scenario's servers, or those named, in folders that go with them."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(scratch_folder())
        setup = _setup(scenario, folder)
        running = []
        for name in names or scenario.servers:
            place = os.path.join(folder, name)
            os.mkdir(place)
            server = servers.STARTERS[name](place, plan.programs.get(name), setup)
            stack.callback(server.stop)
            running.append(server)
        yield running


def _setup(scenario, folder):
    tls_folder = large_file = None
    if scenario.has_tls:
        tls_folder = os.path.join(folder, "tls")
        materials.make_certificate(tls_folder)
    if scenario.has_large_file:
        large_file = os.path.join(folder, "large.bin")
        materials.make_large_file(large_file)
    return servers.Setup(tls_folder, large_file)


def progress(text):
    """Says on standard error what goes on."""
    print(text, file=sys.stderr)
