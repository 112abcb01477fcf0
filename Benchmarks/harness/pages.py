"""Callbacks at a modest pace while others read much: large pages or results, an export, a report, a redecoding."""

import contextlib
import os
import random
import statistics
import threading
import time
from dataclasses import dataclass

from harness import callbacks, load, materials, pace, processes, questions, results, store
from harness.failure import Failure
from harness.stage import progress, scratch_folder

RESULTS, QUICK_RESULTS = 100_000, 20_000
REPORTS, REPORT_BYTES, DIFFERENT_REPORTS = 1000, 60_000, 50
LARGE_BYTES = 4_000_000
FLOWS, QUICK_FLOWS = 5000, 1000
DAYS = 5
FILL_CONNECTIONS = 8
FILL_SECONDS = 3
MOST_FILLS = 20
LENGTH = 2
"""Runs take so many times the plan's seconds: at 200 callbacks a second a p99 needs them."""
BUFFER_BYTES = 1 << 18
PAGE = "/api/v1/results?inbox=reports&limit=500"
QUIET = "quiet"
NEIGHBOURS = {
    "pages of 500 reports": ("GET", PAGE),
    "a result of 4 MB": ("GET", "/api/v1/results/latest?inbox=large"),
    "an export": ("GET", "/api/v1/export?format=ndjson"),
    "a redecoding": ("POST", "/api/v1/store/redecode"),
    "the flow report": ("GET", "/api/v1/flows/report"),
}
"""What another client asks meanwhile, again and again: method and target by name."""


@dataclass(frozen=True)
class Figures:
    """What was measured beside one neighbour: medians of the rounds."""

    latency: pace.Latency
    answers: int
    """That the neighbour got in all."""
    seconds: float
    """That each of them took; 0 if there is no neighbour."""
    megabytes: float
    """That each of them had."""


@dataclass(frozen=True)
class Pages:
    """`Figures` by neighbour, `QUIET` first, and what the store had."""

    figures: dict
    results: int
    page_results: int
    peak_bytes: int
    """Most memory of the server that was resident at once."""
    others_share: float


class Neighbour:
    """A client that asks one thing over and over; a context manager that waits for its last answer."""

    def __init__(self, server, method, target):
        self._server, self._method, self._target = server, method, target
        self._stop, self._failure = threading.Event(), None
        self._thread = threading.Thread(target=self._ask)
        self.durations, self.sizes = [], []
        """Seconds and bytes of its answers."""

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()

    def check(self):
        """Fails unless it has its answers."""
        if self._failure:
            raise self._failure

    def _ask(self):
        buffer = bytearray(BUFFER_BYTES)
        try:
            with questions.Client(self._server) as client:
                while not self._stop.is_set():
                    start = time.monotonic()
                    self.sizes.append(client.size(self._target, buffer, self._method))
                    self.durations.append(time.monotonic() - start)
        except Failure as failure:
            self._failure = failure


def measure(_scenario, plan):
    """`Pages` of Landfall."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(scratch_folder())
        count, flows = (QUICK_RESULTS, QUICK_FLOWS) if plan.is_quick else (RESULTS, FLOWS)
        progress(f"pages: writing {count:,} results")
        results.generate(os.path.join(folder, "data"), count, DAYS)
        server, _ = store.open_store(folder, plan.programs["landfall"])
        stack.callback(server.stop)
        store.compact(server)
        page_results = _fill(server, flows)
        paced = stack.enter_context(pace.PacedCallbacks(server))
        paced.send(1)
        latencies = {name: [] for name in (QUIET, *NEIGHBOURS)}
        answers = {name: [] for name in latencies}
        meter = load.Meter(server)
        processes.forget_peak(server.pid)
        for number in range(1, plan.rounds + 1):
            for name in latencies:
                latency, found = _run(server, paced, name, plan.seconds * LENGTH)
                latencies[name].append(latency)
                answers[name] += found
                progress(
                    f"pages: round {number} of {plan.rounds}, beside {name}: p50 "
                    f"{latency.p50_milliseconds:.2f} ms, p99 {latency.p99_milliseconds:.2f} ms")
        _, others = meter.read()
        return Pages(
            {name: _figures(latencies[name], answers[name]) for name in latencies}, count,
            page_results, processes.peak_bytes(server.pid), others)


def _run(server, paced, name, seconds):
    """Latencies beside a neighbour, and seconds and bytes of each of its answers."""
    processes.settled_cpu_seconds(server.pid)
    if name == QUIET:
        return pace.latency(paced.send(seconds)), []
    with Neighbour(server, *NEIGHBOURS[name]) as neighbour:
        durations = paced.send(seconds)
    neighbour.check()
    return pace.latency(durations), list(zip(neighbour.durations, neighbour.sizes))


def _figures(latencies, answers):
    median = pace.Latency(*(
        statistics.median(figures) for figures in zip(*(
            (one.p50_milliseconds, one.p99_milliseconds, one.most_milliseconds)
            for one in latencies))))
    seconds, sizes = zip(*answers) if answers else ((0,), (0,))
    return Figures(
        median, len(answers), statistics.median(seconds), statistics.median(sizes) / 1e6)


def _fill(server, flows):
    """Posts reports, and callbacks of so many flows; the number of results on a page of reports."""
    generator = random.Random(1)
    reports = [
        f"/callbacks/ailet/reports\t{callbacks.JSON}\t{callbacks.report(generator, REPORT_BYTES)}\n"
        for _ in range(DIFFERENT_REPORTS)]
    _post_all(server, "reports", reports, REPORTS)
    large = callbacks.report(generator, LARGE_BYTES)
    _post_all(server, "large", [f"/callbacks/ailet/large\t{callbacks.JSON}\t{large}\n"], 1)
    with open(materials.CALLBACK_FORM, encoding="ascii") as file:
        form = file.read()
    _post_all(server, "flows", [
        f"{materials.CALLBACK_PATH}/flows/{_flow(generator)}\t{callbacks.FORM}\t{form}\n"
        for _ in range(flows)], flows)
    with questions.Client(server) as client:
        page = client.json(PAGE)["results"]
        report = client.json(NEIGHBOURS["the flow report"][1])
    if len(page) < 100 or any(len(str(one["result"])) < REPORT_BYTES / 2 for one in page):
        raise Failure(f"landfall gives {len(page)} reports on a page, or small ones")
    if str(flows) not in str(report) and "orphan" not in str(report):
        raise Failure(f"landfall reports no flows: {str(report)[:300]}")
    return len(page)


def _flow(generator):
    """An id as a launch would have it: a UUID of version 7."""
    number = int(time.time() * 1000) << 80 | 7 << 76 | generator.getrandbits(12) << 64 | (
        2 << 62 | generator.getrandbits(62))
    digits = f"{number:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def _post_all(server, inbox, lines, count):
    """Posts at least `count` of these requests in turn."""
    path = os.path.join(server.folder, f"{inbox}.tsv")
    with open(path, "x", encoding="utf-8") as file:
        file.writelines(lines)
    progress(f"pages: posting {count:,} {inbox}")
    left = count
    for _ in range(MOST_FILLS):
        work = load.Requests("/", FILL_CONNECTIONS, mixture=path, limit=left)
        left -= work.put_on(server, FILL_SECONDS).requests
        if left <= 0:
            return
    raise Failure(f"landfall takes too long for {count} callbacks")
