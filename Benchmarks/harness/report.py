"""The report: figures by scenario, then each budget with what was measured against it."""

import os
import platform
import statistics
import subprocess
import time
from dataclasses import dataclass

from harness import scenarios

NOISE_SHARE = 0.05
"""More CPU time than this in other hands is remarked on."""


@dataclass(frozen=True)
class Budget:
    """One row of the budgets: `measured` against `limit`, at most unless `is_minimum`."""

    what: str
    measured: float
    limit: float
    unit: str
    is_minimum: bool = False

    @property
    def is_met(self):
        """Whether the figure keeps to the limit."""
        if self.is_minimum:
            return self.measured >= self.limit
        return self.measured <= self.limit

    def row(self):
        """The cells of its row."""
        sign = "≥" if self.is_minimum else "≤"
        digits = 0 if self.limit >= 1000 else 1 if self.limit >= 2 else 2
        return [
            self.what, f"{self.measured:,.{digits}f} {self.unit}",
            f"{sign} {self.limit:,.{digits}f} {self.unit}", "met" if self.is_met else "MISSED",
        ]


def render(results, is_markdown):
    """The whole report as text. `results` has what was measured by scenario."""
    table = _markdown_table if is_markdown else _text_table
    parts = [machine()]
    if "aasa" in results:
        parts.append(_runs_part(
            f"Link file, kept-alive GET, {scenarios.ASSOCIATION_CONNECTIONS} connections",
            results["aasa"], table))
    if "callback" in results:
        parts.append(_runs_part(
            f"Callback, {os.path.getsize(scenarios.CALLBACK_FORM)}-byte form, "
            f"{scenarios.CALLBACK_CONNECTIONS} connections (landfall: decoded, durable, indexed; "
            "hummingbird: counted)", results["callback"], table))
    if "memory" in results:
        parts.append(_memory_part(results["memory"], table))
    rows = [budget.row() for budget in budgets(results)]
    parts.append("Budgets\n\n" + table(["what", "measured", "budget", ""], rows))
    return "\n\n".join(parts)


def budgets(results):
    """The budgets that the results say something about."""
    rows = []
    if "aasa" in results:
        cpu = {name: run.cpu_microseconds for name, run in results["aasa"].items()}
        rows += [
            Budget("link file: CPU / nginx's", cpu["landfall"] / cpu["nginx"], 0.80, "×"),
            Budget(
                "link file: CPU / Hummingbird's", cpu["landfall"] / cpu["hummingbird"], 0.35, "×"),
        ]
    if "callback" in results:
        ours, theirs = results["callback"]["landfall"], results["callback"]["hummingbird"]
        ratio = ours.cpu_microseconds / theirs.cpu_microseconds
        rows += [
            Budget("callback: CPU / Hummingbird's (aim: 1.00)", ratio, 1.30, "×"),
            Budget("callback: throughput", ours.requests_per_second, 20_000, "/s", True),
            Budget("callback: p99 latency", ours.p99_milliseconds, 10, "ms"),
        ]
    if "memory" in results:
        ours = results["memory"]["landfall"]
        rows += [
            Budget("resident memory after start", ours.idle_bytes / 1e6, 20, "MB"),
            Budget("memory of a waiting connection", ours.kept_alive_bytes / 1e3, 6, "kB"),
        ]
    return rows


def machine():
    """What the figures were taken on, in one line."""
    swift = _first_line(["swift", "--version"])
    parts = [
        f"{_processor()}, {os.cpu_count()} cores", f"Linux {platform.release()}",
        swift.split(" (")[0], f"{_first_line(['nginx', '-v']).rpartition(': ')[2]}",
        f"fdatasync of 4 kB: {_sync_milliseconds():.2f} ms",
    ]
    return " · ".join(parts)


def _runs_part(title, runs, table):
    rows = []
    for name, run in runs.items():
        rows.append([
            name, f"{run.requests_per_second:,.0f}", f"{run.p50_milliseconds:.2f}",
            f"{run.p99_milliseconds:.2f}", f"{run.cpu_microseconds:.2f}",
            f"{run.memory_bytes / 1e6:.1f}",
        ])
    header = ["", "requests/s", "p50 ms", "p99 ms", "CPU µs/request", "memory MB"]
    part = f"{title}\n\n{table(header, rows)}"
    noise = max(run.others_share for run in runs.values())
    if noise > NOISE_SHARE:
        part += f"\n\nNot a quiet machine: other programs took {noise:.0%} of its CPU time."
    return part


def _memory_part(figures, table):
    rows = []
    for name, memory in figures.items():
        rows.append([
            name, f"{memory.idle_bytes / 1e6:.1f}", f"{memory.idle_proportional_bytes / 1e6:.1f}",
            f"{memory.connected_bytes / 1e3:.2f}", f"{memory.kept_alive_bytes / 1e3:.2f}",
        ])
    header = [
        "", "resident MB", "shared once MB", "kB/connection, new", "kB/connection, kept alive"]
    title = f"Memory: idle after start, and with {scenarios.IDLE_CONNECTIONS} waiting connections"
    return f"{title}\n\n{table(header, rows)}"


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
