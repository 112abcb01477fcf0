"""How the CPU cost of a callback grows: with the store, its inboxes, clients that watch, and the body.

Costs are those of one stored callback, not of one response: wrk leaves callbacks behind that it no longer
waits for, and they count too.
"""

import contextlib
import os
import random
import statistics
from dataclasses import dataclass

from harness import callbacks, load, materials, questions, results, store
from harness.failure import Failure
from harness.stage import progress, scratch_folder, started
from harness.watchers import INBOXES, STREAM, WAIT, Watchers

CONNECTIONS = 64
BODY_CONNECTIONS = 8
"""Fewer: the bodies that are received at the same time have to fit into the server's limit for them."""
STORED, QUICK_STORED, TEN_MILLION = (1000, 100_000, 1_000_000), (1000, 100_000), 10_000_000
STORED_CALLBACKS = 10_000
"""That a run adds to a store. One that it would change a lot is made again for each run."""
INBOX_COUNTS = (1, 100, 10_000)
INBOXES_PER_SECOND = 2500
"""At which even a slow machine makes new ones."""
WATCHER_COUNTS = (100, 1000)
BODY_SIZES = (1000, 60_000, 1_000_000)
MIXTURE_BYTES = 8_000_000
MOST_BODIES = 64
WARM_UP_SECONDS = 1


@dataclass(frozen=True)
class Point:
    """The cost of a callback at one place of an axis: medians of the rounds."""

    x: float
    cpu_microseconds: float
    least_microseconds: float
    most_microseconds: float
    run: load.Run
    """The run of the median cost. What it came to in a second means nothing in a store of `STORED`."""
    delivered: float | None = None
    """Results that watchers received for each callback."""


@dataclass(frozen=True)
class Axis:
    """What the cost of a callback was measured over."""

    title: str
    label: str
    """Of the x axis."""
    lines: dict
    """Lists of `Point` by name, the least `x` first."""


class Samples:
    """Runs at one place of an axis."""

    def __init__(self, x=None):
        self._x, self._runs = x, []

    def add(self, what, server, work, seconds, watchers=None):
        """Loads the server once more. Fails unless all that it acknowledged is stored."""
        before = newest(server)
        received = watchers.received if watchers else 0
        run = load.run(server, work, seconds)
        delivered = watchers.received - received if watchers else 0
        stored = newest(server) - before
        if stored < run.requests:
            raise Failure(f"landfall answered {run.requests} callbacks and stored {stored}")
        cost = run.cpu_microseconds * run.requests / stored
        x = before + stored / 2 if self._x is None else self._x
        self._runs.append((cost, x, run, delivered / stored))
        progress(f"growth: {what}: {cost:.2f} us of CPU for each of {stored:,} callbacks")

    def point(self):
        """The medians."""
        costs = [cost for cost, *_ in self._runs]
        _, _, run, delivered = sorted(self._runs, key=lambda one: one[0])[len(costs) // 2]
        return Point(
            statistics.median(x for _, x, *_ in self._runs), statistics.median(costs), min(costs),
            max(costs), run, delivered)


def newest(server):
    """The number of the newest result; 0 in an empty store."""
    with questions.Client(server) as client:
        found = client.json(questions.RESULTS + "?limit=1&fields=seq")["results"]
    return found[0]["seq"] if found else 0


def measure(scenario, plan):
    """`Axis` by name."""
    return {
        "stored": _stored(plan), "inboxes": _inboxes(scenario, plan),
        "watchers": _watchers(scenario, plan), "bodies": _bodies(scenario, plan),
    }


def _stored(plan):
    counts = QUICK_STORED if plan.is_quick else STORED
    if plan.has_ten_million:
        counts += (TEN_MILLION,)
    work = load.Requests(
        materials.CALLBACK_PATH, CONNECTIONS, materials.CALLBACK_FORM, limit=STORED_CALLBACKS)
    with contextlib.ExitStack() as stack:
        samples = {count: Samples() for count in counts}
        lasting = {
            count: _filled(stack, count, plan) for count in counts if count > STORED_CALLBACKS}
        for server in lasting.values():
            load.run(server, work, WARM_UP_SECONDS)
        for number in range(1, plan.rounds + 1):
            for count in counts:
                with contextlib.ExitStack() as passing:
                    server = lasting.get(count) or _filled(passing, count, plan)
                    samples[count].add(
                        f"{count:,} stored, round {number} of {plan.rounds}", server, work,
                        plan.seconds)
        return Axis("Results in the store", "results", {
            "callback": [one.point() for one in samples.values()]})


def _filled(stack, count, plan):
    """A server whose store has so many results, their closed days compressed."""
    folder = stack.enter_context(scratch_folder())
    progress(f"growth: writing {count:,} results")
    results.generate(os.path.join(folder, "data"), count, store.DAYS)
    progress(f"growth: opening {count:,} results, and compressing")
    server, _ = store.open_store(folder, plan.programs["landfall"])
    stack.callback(server.stop)
    store.compact(server)
    return server


def _inboxes(scenario, plan):
    with contextlib.ExitStack() as stack:
        running, samples = {}, {}
        for count in INBOX_COUNTS:
            server, = stack.enter_context(started(scenario, plan))
            work = load.Requests("/", CONNECTIONS, mixture=_write_inboxes(server, count))
            progress(f"growth: warming {count:,} inboxes")
            load.run(server, work, WARM_UP_SECONDS + count // INBOXES_PER_SECOND)
            _check_inboxes(server, count)
            running[count], samples[count] = (server, work), Samples(count)
        for number in range(1, plan.rounds + 1):
            for count, (server, work) in running.items():
                samples[count].add(
                    f"{count:,} inboxes, round {number} of {plan.rounds}", server, work,
                    plan.seconds)
        return Axis("Inboxes in turn", "inboxes", {
            "callback": [one.point() for one in samples.values()]})


def _check_inboxes(server, count):
    """All are there before anything is measured."""
    found, target = 0, "/api/v1/inboxes?limit=500"
    with questions.Client(server) as client:
        while target:
            page = client.json(target)
            found += len(page["inboxes"])
            cursor = page["next_cursor"]
            target = cursor and f"/api/v1/inboxes?limit=500&cursor={cursor}"
    if found != count:
        raise Failure(f"landfall has {found} of {count} inboxes")


def _watchers(scenario, plan):
    """Each callback goes to one of `INBOXES` inboxes, or of as many as there are watchers."""
    lines = {
        f"{kind}, {'one matches' if matches else 'none matches'}": (kind, matches)
        for matches in (False, True) for kind in (WAIT, STREAM)}
    with started(scenario, plan) as (server,):
        works = {
            count: load.Requests("/", CONNECTIONS, mixture=_write_inboxes(server, count))
            for count in WATCHER_COUNTS}
        everywhere = works[INBOXES]
        load.run(server, everywhere, WARM_UP_SECONDS)
        alone = Samples(0)
        samples = {name: {count: Samples(count) for count in WATCHER_COUNTS} for name in lines}
        for number in range(1, plan.rounds + 1):
            of = f"round {number} of {plan.rounds}"
            alone.add(f"nobody watches, {of}", server, everywhere, plan.seconds)
            for name, (kind, matches) in lines.items():
                for count in WATCHER_COUNTS:
                    with Watchers(server, count, kind, matches) as watchers:
                        samples[name][count].add(
                            f"{count:,} × {name}, {of}", server,
                            works[count] if matches else everywhere, plan.seconds, watchers)
                        watchers.check()
        return Axis("Clients that wait for results or follow the stream", "clients", {
            name: [alone.point(), *(one.point() for one in of_name.values())]
            for name, of_name in samples.items()})


def _bodies(scenario, plan):
    with started(scenario, plan) as (server,):
        samples, works = {}, {}
        for size in BODY_SIZES:
            path, mean = _write_reports(server, size)
            works[size] = load.Requests("/", BODY_CONNECTIONS, mixture=path)
            samples[size] = Samples(mean)
            progress(f"growth: warming bodies of {mean:,.0f} bytes")
            load.run(server, works[size], WARM_UP_SECONDS)
        for number in range(1, plan.rounds + 1):
            for size, work in works.items():
                samples[size].add(
                    f"bodies of {size:,} bytes, round {number} of {plan.rounds}", server, work,
                    plan.seconds)
        return Axis("Body of a callback (Ailet's report as JSON)", "bytes", {
            "callback": [one.point() for one in samples.values()]})


def _write_inboxes(server, count):
    """A mixture of the same form to so many inboxes in turn."""
    with open(materials.CALLBACK_FORM, encoding="ascii") as file:
        form = file.read()
    path = os.path.join(server.folder, f"{count}-inboxes.tsv")
    with open(path, "x", encoding="utf-8") as file:
        file.writelines(
            f"{materials.CALLBACK_PATH}/w{number}\t{callbacks.FORM}\t{form}\n" for number in range(count))
    return path


def _write_reports(server, size):
    """A mixture of Ailet's reports, all of about the same size, and their mean size in bytes."""
    generator, total = random.Random(size), 0
    count = min(MOST_BODIES, MIXTURE_BYTES // size)
    path = os.path.join(server.folder, f"{size}-bytes.tsv")
    with open(path, "x", encoding="utf-8") as file:
        for _ in range(count):
            body = callbacks.report(generator, size)
            _check_report(server, body)
            file.write(f"/callbacks/ailet\t{callbacks.JSON}\t{body}\n")
            total += len(body.encode())
    return path, total / count


def _check_report(server, body):
    status, _, content = server.request(
        "POST", "/callbacks/ailet", body.encode(), {"Content-Type": callbacks.JSON})
    if status != 201 or b'"verdict":"decoded"' not in content:
        raise Failure(f"landfall does not take a report: {status} {content[:300]!r}")
