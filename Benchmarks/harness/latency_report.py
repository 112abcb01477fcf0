"""The parts of the report about latencies beside other work, and about starts."""

from harness import pace, pages, starting, visible
from harness.budgets import Budget
from harness.noise import noise


def _pages_part(figures, table):
    quiet = figures.figures[pages.QUIET].latency
    rows = [
        [name, f"{one.latency.p50_milliseconds:.2f}", f"{one.latency.p99_milliseconds:.2f}",
         f"{one.latency.p99_milliseconds / quiet.p99_milliseconds:.2f} ×",
         f"{one.latency.most_milliseconds:.1f}",
         *([f"{one.answers}", f"{one.seconds * 1e3:,.0f}", f"{one.megabytes:,.1f}"]
           if one.answers else ["", "", ""])]
        for name, one in figures.figures.items()]
    header = [
        "beside", "p50 ms", "p99 ms", "p99 / quiet", "most ms", "responses to the neighbour",
        "ms of each", "MB of each"]
    title = (
        f"Callbacks at {pace.PER_SECOND} a second on {pace.CONNECTIONS} connections, beside a "
        f"client that reads much from {figures.results:,} results; a page has "
        f"{figures.page_results} reports\n(most memory: {figures.peak_bytes / 1e6:.0f} MB)")
    return f"{title}\n\n{table(header, rows)}" + noise([figures])


def _pages_budgets(figures):
    quiet = figures.figures[pages.QUIET].latency.p99_milliseconds
    return [
        Budget(f"p99 beside {name} / quiet p99", one.latency.p99_milliseconds / quiet, 2, "×")
        for name, one in figures.figures.items() if name != pages.QUIET]


def _start_part(figures, table):
    rows = [
        ["listens after: ms", *_spread(figures.listen_milliseconds, 1)],
        ["resident after start MB", *_spread(figures.idle_bytes, 1e6)],
        [f"resident after {starting.CALLBACKS:,} callbacks MB",
         *_spread(figures.used_bytes, 1e6)],
    ]
    title = (
        f"{figures.starts} starts with an empty store (the stripped program has "
        f"{figures.stripped_bytes / 1e6:.1f} MB)")
    return f"{title}\n\n{table(['', 'median', 'most'], rows)}"


def _spread(spread, unit):
    return f"{spread.median / unit:.1f}", f"{spread.most / unit:.1f}"


def _start_budgets(figures):
    of = f"most of {figures.starts}"
    return [
        Budget(f"from start to listening, {of}", figures.listen_milliseconds.most, 150, "ms"),
        Budget(f"resident memory after start, {of}", figures.idle_bytes.most / 1e6, 20, "MB"),
    ]


def _visible_part(figures, table):
    rows = [
        [kind, f"{asked}", f"{latency.p50_milliseconds:.2f}", f"{latency.p99_milliseconds:.2f}",
         f"{latency.most_milliseconds:.2f}"]
        for kind, (latency, asked) in figures.latencies.items()]
    run = figures.run
    title = (
        f"Questions that have to see a callback just acknowledged, under {visible.CONNECTIONS} "
        f"connections of callbacks\n({run.requests_per_second:,.0f} callbacks a second, p99 "
        f"{run.p99_milliseconds:.2f} ms)")
    header = ["", "asked", "p50 ms", "p99 ms", "most ms"]
    return f"{title}\n\n{table(header, rows)}" + noise([run])


def _visible_budgets(figures):
    return [
        Budget(f"under full load, {kind}: p99", latency.p99_milliseconds, 20, "ms")
        for kind, (latency, _) in figures.latencies.items()]


PARTS = {"pages": _pages_part, "start": _start_part, "visible": _visible_part}
BUDGETS = {"pages": _pages_budgets, "start": _start_budgets, "visible": _visible_budgets}
