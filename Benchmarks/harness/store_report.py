"""The parts of the report about the store: what answers, ingestion and waiting cost."""

from harness import ingest
from harness.budgets import Budget
from harness.noise import noise
from harness.questions import COMPRESSED_RESULT, OWN_KIND, PLAIN_RESULT


def _store_part(by_size, table):
    sizes = list(by_size)
    rows = [
        [label, *(show(figures) for figures in by_size.values())] for label, show in STORE_ROWS]
    whole = table(["", *(f"{size:,} results" for size in sizes)], rows)
    return f"Store of made-up results\n\n{whole}\n\n{_growth(by_size, table)}" + noise(
        by_size.values())


STORE_ROWS = (
    ("files MB", lambda figures: f"{figures.size_bytes / 1e6:,.0f}"),
    ("files, closed days compressed MB", lambda figures: f"{figures.compacted_bytes / 1e6:,.0f}"),
    ("index MB", lambda figures: f"{figures.index_bytes / 1e6:,.0f}"),
    ("open, index to be made: results/s",
     lambda figures: f"{figures.results / figures.index_seconds:,.0f}"),
    ("open, index there: ms", lambda figures: f"{figures.open_seconds * 1e3:,.0f}"),
    ("compress closed days: MB/s", lambda figures: f"{_compaction_rate(figures):,.0f}"),
    ("export: MB/s", lambda figures: f"{figures.export_bytes_per_second / 1e6:,.0f}"),
    ("most memory during the export MB", lambda figures: f"{figures.export_peak_bytes / 1e6:,.1f}"),
    ("memory after everything MB", lambda figures: f"{figures.idle_bytes / 1e6:,.1f}"),
)


def _compaction_rate(figures):
    return figures.size_bytes / figures.compaction_seconds / 1e6


def _growth(by_size, table):
    """The latencies and the CPU time by kind of question, and how they grow with the store."""
    sizes = list(by_size)
    times, costs = [], []
    for kind in by_size[sizes[0]].latencies:
        latencies = [figures.latencies[kind] for figures in by_size.values()]
        times.append([kind, *(
            f"{figure:.2f}" for latency in latencies
            for figure in (latency.p50_milliseconds, latency.p99_milliseconds))])
        cpu = [latency.cpu_milliseconds for latency in latencies]
        growth = f"{cpu[-1] / cpu[0]:.1f} ×" if cpu[0] else ""
        costs.append([kind, *(f"{figure:.2f}" for figure in cpu), growth])
    fewest = min(
        latency.requests for figures in by_size.values() for latency in figures.latencies.values())
    header = ["", *(f"{size:,}: {figure} ms" for size in sizes for figure in ("p50", "p99"))]
    costs_header = ["", *(f"{size:,}" for size in sizes), "last / first"]
    return (
        "Questions to it, pages of 50, one after the other, at least "
        f"{fewest} of each kind\n\n{table(header, times)}\n\n"
        f"CPU ms of the server for each question\n\n{table(costs_header, costs)}")


def _store_budgets(by_size):
    size, figures = list(by_size.items())[-1]
    latencies = dict(figures.latencies)
    del latencies[OWN_KIND]
    plain, compressed = (latencies.pop(kind) for kind in (PLAIN_RESULT, COMPRESSED_RESULT))
    slowest = max(latencies, key=lambda kind: latencies[kind].p99_milliseconds)
    page = latencies[slowest].p99_milliseconds
    of = f"{size:,} results"
    return [
        Budget(f"open a store of {of}", figures.open_seconds, 1, "s"),
        Budget(f"page of 50 of {of}, slowest kind ({slowest}): p99", page, 5, "ms"),
        Budget(f"one of {of}, plain file: p99", plain.p99_milliseconds, 1, "ms"),
        Budget(f"one of {of}, compressed file: p99", compressed.p99_milliseconds, 3, "ms"),
        Budget(f"export of {of}", figures.export_bytes_per_second / 1e6, 100, "MB/s", True),
    ]


def _ingest_part(figures, table):
    run = figures.run
    rows = [
        ["acknowledged/s", f"{run.requests_per_second:,.0f}"],
        ["p50 ms", f"{run.p50_milliseconds:.2f}"], ["p99 ms", f"{run.p99_milliseconds:.2f}"],
        ["CPU µs/callback", f"{run.cpu_microseconds:.2f}"],
        ["stored bytes/callback", f"{figures.mean_bytes:,.0f}"],
        ["first question afterwards: ms", f"{figures.lag_milliseconds:.1f}"],
        ["memory afterwards MB", f"{run.memory_bytes / 1e6:.1f}"],
        [f"resident after {figures.total_results:,} MB", f"{figures.total_bytes / 1e6:.1f}"],
    ]
    title = (
        f"Callbacks of all vendors, {run.requests:,} of them on {ingest.CONNECTIONS} connections "
        "(decoded, durable, indexed)")
    return f"{title}\n\n{table(['', 'landfall'], rows)}" + noise([run])


def _ingest_budgets(figures):
    return [
        Budget("callbacks of all vendors", figures.run.requests_per_second, 20_000, "/s", True),
        Budget(
            f"resident memory after {figures.total_results:,} callbacks",
            figures.total_bytes / 1e6, 150, "MB"),
    ]


def _wait_part(figures, table):
    rows = [
        [what, f"{delays.from_send_p50:.2f}", f"{delays.from_send_p99:.2f}",
         f"{delays.from_acknowledgement_p50:.2f}", f"{delays.from_acknowledgement_p99:.2f}"]
        for what, delays in figures.delays.items()]
    header = ["", "p50 ms", "p99 ms", "from its 201: p50 ms", "p99 ms"]
    title = (
        f"{figures.waiters:,} clients that wait: from the sending of a callback to their answer "
        f"(memory: {figures.growth_bytes / 1e6:.1f} MB more)")
    return f"{title}\n\n{table(header, rows)}"


def _wait_budgets(figures):
    return [
        Budget(f"memory of {figures.waiters:,} that wait", figures.growth_bytes / 1e6, 50, "MB"),
        *(Budget(
            f"{figures.waiters:,} that wait for {what}: p99 from the 201",
            delays.from_acknowledgement_p99, 5, "ms")
          for what, delays in figures.delays.items()),
    ]


PARTS = {"store": _store_part, "ingest": _ingest_part, "wait": _wait_part}
BUDGETS = {"store": _store_budgets, "ingest": _ingest_budgets, "wait": _wait_budgets}
