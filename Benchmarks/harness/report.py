"""The report: figures by scenario, then each budget with what was measured against it."""

import os
import platform
import statistics
import subprocess
import time

from harness import (
    growth_report, latency_report, library_report, materials, rows_report, scenarios, store_report)
from harness.budgets import Budget
from harness.noise import noise

def render(results, is_markdown):
    """The whole report as text. `results` has what was measured by scenario."""
    table = _markdown_table if is_markdown else _text_table
    parts = [machine()]
    parts += [PARTS[name](figures, table) for name, figures in results.items()]
    rows = [budget.row() for budget in budgets(results)]
    if rows:
        parts.append("Budgets\n\n" + table(["what", "measured", "budget", ""], rows))
    return "\n\n".join(parts)


def budgets(results):
    """The budgets that the results say something about."""
    return [
        budget for name, figures in results.items() for budget in BUDGETS[name](figures)]


def _idle_budgets(figures):
    ours = figures["landfall"]
    return [
        Budget("resident memory after start", ours.idle_bytes / 1e6, 20, "MB"),
        Budget("memory of a waiting connection", ours.kept_alive_bytes / 1e3, 6, "kB"),
    ]


def _tls_idle_budgets(figures):
    ours = figures["landfall"].kept_alive_bytes / 1e3
    return [Budget("memory of a waiting TLS connection", ours, 40, "kB")]


def _association_budgets(runs):
    return [
        _cpu_budget("link file: CPU / tuned nginx's", runs, "landfall", "nginx-tuned", 1.00),
        _cpu_budget("link file: CPU / Debian's nginx's", runs, "landfall", "nginx", 0.80),
        _cpu_budget("link file: CPU / Hummingbird's", runs, "landfall", "hummingbird", 0.35),
    ]


def _callback_budgets(connections, p99_limit):
    """Budgets of the callback under a load of so many connections."""
    what = f"callback, {connections} connections"

    def budgets_of(runs):
        ours = runs["landfall"]
        return [
            _cpu_budget(
                f"{what}: CPU / that of counting bytes (aim: 1.00)", runs, "landfall",
                "hummingbird", 1.30),
            _cpu_budget(
                f"{what}: CPU / that of the peer that stores", runs, "landfall",
                "hummingbird-store", 0.12),
            Budget(f"{what}: throughput", ours.requests_per_second, 20_000, "/s", True),
            Budget(f"{what}: p99 latency", ours.p99_milliseconds, p99_limit, "ms"),
        ]
    return budgets_of


def _post_budgets(runs):
    return [_cpu_budget(
        "small POST: CPU / Hummingbird's", runs, "landfall-counter", "hummingbird", 0.35)]


def _static_budgets(runs):
    ratio = runs["landfall"].bytes_per_second / runs["nginx"].bytes_per_second
    return [Budget("1 MiB file: throughput / nginx's", ratio, 0.90, "×", True)]


def _crowd_budgets(medians):
    fewest, most = (medians[count]["landfall"].cpu_microseconds for count in _crowd_ends())
    what = "CPU amid {1:,} idle connections / {0:,}".format(*_crowd_ends())
    return [Budget(what, most / fewest, 1.15, "×")]


def _slow_budgets(medians):
    quiet, crowded = (
        medians[when]["landfall"].p99_milliseconds for when in ("quiet", "crowded"))
    return [Budget("p99 amid slow clients / quiet p99", crowded / quiet, 3, "×")]


def _handshake_budgets(runs):
    return [_cpu_budget("TLS handshake: CPU / nginx's", runs, "landfall", "nginx", 1.00)]


def _tls_request_budgets(runs):
    return [_cpu_budget("TLS request: CPU / nginx's", runs, "landfall", "nginx", 1.00)]


def _cpu_budget(what, runs, ours, theirs, limit):
    return Budget(what, runs[ours].cpu_microseconds / runs[theirs].cpu_microseconds, limit, "×")


def _crowd_ends():
    return scenarios.CROWDS[0], scenarios.CROWDS[-1]


def machine():
    """What the figures were taken on, in one line."""
    swift = _first_line(["swift", "--version"])
    parts = [
        f"{_processor()}, {os.cpu_count()} cores", f"Linux {platform.release()}",
        swift.split(" (")[0], f"{_first_line(['nginx', '-v']).rpartition(': ')[2]}",
        f"fdatasync of 4 kB: {_sync_milliseconds():.2f} ms",
    ]
    return " · ".join(parts)


REQUESTS = ("requests/s", lambda run: f"{run.requests_per_second:,.0f}")
HANDSHAKES = ("handshakes/s", REQUESTS[1])
THROUGHPUT = ("GB/s", lambda run: f"{run.bytes_per_second / 1e9:.2f}")
LATENCIES = (
    ("p50 ms", lambda run: f"{run.p50_milliseconds:.2f}"),
    ("p99 ms", lambda run: f"{run.p99_milliseconds:.2f}"),
)
CPU = ("CPU µs/request", lambda run: f"{run.cpu_microseconds:.2f}")
HANDSHAKE_CPU = ("CPU µs/handshake", lambda run: f"{run.cpu_microseconds:.0f}")
MEMORY = ("memory MB", lambda run: f"{run.memory_bytes / 1e6:.1f}")


def _runs_part(title, columns=(REQUESTS, *LATENCIES, CPU, MEMORY)):
    """A part with a row for each server and a column for each figure, name and format."""
    def part(runs, table):
        rows = [
            [name, *(show(run) for _, show in columns),
             "{:.1f} to {:.1f}".format(*runs.cpu_ranges[name])]
            for name, run in runs.items()]
        header = ["", *(name for name, _ in columns), "CPU µs, range"]
        return f"{title}\n\n{table(header, rows)}" + noise(runs.values())
    return part


def _memory_part(title):
    """A part of the memory of idle servers."""
    def part(figures, table):
        rows = []
        for name, memory in figures.items():
            rows.append([
                name, f"{memory.idle_bytes / 1e6:.1f}",
                f"{memory.idle_proportional_bytes / 1e6:.1f}",
                f"{memory.connected_bytes / 1e3:.2f}", f"{memory.kept_alive_bytes / 1e3:.2f}",
            ])
        header = [
            "", "resident MB", "shared once MB", "kB/connection, new",
            "kB/connection, kept alive",
        ]
        return f"{title}\n\n{table(header, rows)}"
    return part


def _crowd_part(medians, table):
    fewest, most = _crowd_ends()
    rows = []
    for name in medians[fewest]:
        cost = {count: runs[name].cpu_microseconds for count, runs in medians.items()}
        rows.append([
            name, *(f"{cost[count]:.2f}" for count in medians),
            f"{cost[most] / cost[fewest]:.2f} ×",
        ])
    title = (
        f"Link file, CPU µs/request on {scenarios.ACTIVE_CONNECTIONS} connections amid idle ones")
    header = ["", *(f"{count:,} idle" for count in medians), "last / first"]
    return f"{title}\n\n{table(header, rows)}" + noise(_all_runs(medians))


def _slow_part(medians, table):
    rows = []
    for name, quiet in medians["quiet"].items():
        crowded = medians["crowded"][name]
        rows.append([
            name, f"{quiet.p99_milliseconds:.2f}", f"{crowded.p99_milliseconds:.2f}",
            f"{crowded.p99_milliseconds / quiet.p99_milliseconds:.2f} ×",
            f"{quiet.cpu_microseconds:.2f}", f"{crowded.cpu_microseconds:.2f}",
        ])
    title = (
        f"Link file on {scenarios.SLOW_ACTIVE_CONNECTIONS} connections, alone and amid "
        f"{scenarios.SLOW_IDLE_CONNECTIONS:,} idle ones and {scenarios.SLOW_CLIENTS} that send "
        "a byte a second")
    header = [
        "", "quiet p99 ms", "crowded p99 ms", "crowded / quiet", "quiet CPU µs/request",
        "crowded CPU µs/request",
    ]
    return f"{title}\n\n{table(header, rows)}" + noise(_all_runs(medians))


def _all_runs(medians):
    return [run for runs in medians.values() for run in runs.values()]


def _text_table(header, rows):
    """Columns in line: names to the left, figures to the right."""
    cells = [header, *rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    lines = []
    for row in cells:
        columns = [row[0].ljust(widths[0])]
        columns += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        lines.append("  ".join(columns).rstrip())
    lines.insert(1, "-" * max(len(line) for line in lines))
    return "\n".join(lines)


def _markdown_table(header, rows):
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()


def _first_line(command):
    try:
        outcome = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    except FileNotFoundError:
        return f"{command[0]}: unknown version"
    return outcome.stdout.partition("\n")[0]


def _sync_milliseconds():
    """How long the disk takes to make 4 kB durable: the floor of a callback's latency."""
    durations = []
    os.makedirs(scenarios.builds.SCRATCH, exist_ok=True)
    path = os.path.join(scenarios.builds.SCRATCH, "sync-probe")
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        for _ in range(100):
            os.write(descriptor, bytes(4096))
            start = time.monotonic()
            os.fdatasync(descriptor)
            durations.append(time.monotonic() - start)
    finally:
        os.close(descriptor)
        os.unlink(path)
    return statistics.median(durations) * 1000


def _callback_part(connections):
    return _runs_part(
        f"Callback, {FORM_BYTES}-byte form, {connections} connections (landfall: decoded, durable, "
        "indexed; hummingbird: counted; hummingbird-store: decoded, durable, indexed)")


FORM_BYTES = os.path.getsize(materials.CALLBACK_FORM)
PARTS = {
    "idle": _memory_part(
        f"Memory: after start, and with {scenarios.IDLE_CONNECTIONS:,} waiting connections"),
    "aasa": _runs_part(
        f"Link file, kept-alive GET, {scenarios.ACTIVE_CONNECTIONS} connections"),
    "callback": _callback_part(scenarios.ACTIVE_CONNECTIONS),
    "callback-256": _callback_part(scenarios.MANY_CONNECTIONS),
    "post": _runs_part(
        f"Small POST, {FORM_BYTES}-byte form, {scenarios.ACTIVE_CONNECTIONS} connections "
        "(body read and counted by both; landfall-counter: Landfall's HTTP server without the "
        "product)"),
    "static-1m": _runs_part(
        f"1 MiB file, kept-alive GET, {scenarios.STATIC_CONNECTIONS} connections "
        "(landfall: from memory; nginx: sendfile)",
        (REQUESTS, THROUGHPUT, *LATENCIES, CPU, MEMORY)),
    "crowd": _crowd_part,
    "slow": _slow_part,
    "tls-handshake": _runs_part(
        f"TLS 1.3 full handshakes with one GET of the link file, "
        f"{scenarios.HANDSHAKE_CLIENTS} clients (ECDSA P-256, X25519, AES-128-GCM)",
        (HANDSHAKES, HANDSHAKE_CPU, MEMORY)),
    "tls-requests": _runs_part(
        f"Link file over TLS 1.3, kept-alive GET, {scenarios.ACTIVE_CONNECTIONS} connections "
        "(AES-128-GCM)"),
    "tls-idle": _memory_part(
        f"Memory over TLS 1.3: after start, and with {scenarios.IDLE_CONNECTIONS:,} waiting "
        "connections"),
    **store_report.PARTS,
    **rows_report.PARTS,
    **growth_report.PARTS,
    **latency_report.PARTS,
    **library_report.PARTS,
}
BUDGETS = {
    "idle": _idle_budgets,
    "aasa": _association_budgets,
    "callback": _callback_budgets(scenarios.ACTIVE_CONNECTIONS, 10),
    "callback-256": _callback_budgets(scenarios.MANY_CONNECTIONS, 25),
    "post": _post_budgets,
    "static-1m": _static_budgets,
    "crowd": _crowd_budgets,
    "slow": _slow_budgets,
    "tls-handshake": _handshake_budgets,
    "tls-requests": _tls_request_budgets,
    "tls-idle": _tls_idle_budgets,
    **store_report.BUDGETS,
    **rows_report.BUDGETS,
    **growth_report.BUDGETS,
    **latency_report.BUDGETS,
    **library_report.BUDGETS,
}
