"""The part of the report about what the cost of a callback grows with, and its plot."""

from harness import plot
from harness.noise import noise

BODIES = "bodies"
COST = "CPU µs of a callback"


def _growth_part(axes, table):
    parts = ["How the CPU cost of a callback grows"]
    for name, axis in axes.items():
        header = [
            axis.title, axis.label, COST, "range", *(["µs/kB"] if name == BODIES else []),
            "results/callback delivered", "memory MB"]
        rows = [
            [line, f"{point.x:,.0f}", f"{point.cpu_microseconds:,.1f}",
             f"{point.least_microseconds:,.1f} to {point.most_microseconds:,.1f}",
             *([f"{point.cpu_microseconds / point.x * 1e3:,.1f}"] if name == BODIES else []),
             f"{point.delivered:.2f}", f"{point.run.memory_bytes / 1e6:,.1f}"]
            for line, points in axis.lines.items() for point in points]
        if not any(point.delivered for points in axis.lines.values() for point in points):
            at = header.index("results/callback delivered")
            header, rows = (
                header[:at] + header[at + 1:], [row[:at] + row[at + 1:] for row in rows])
        parts.append(table(header, rows))
    runs = [
        point.run for axis in axes.values() for points in axis.lines.values() for point in points]
    return "\n\n".join(parts) + noise(runs)


def write_plot(path, axes, machine):
    """Writes the plot of the axes as SVG, with a line that says where they were measured."""
    panels = [
        plot.Panel(axis.title, axis.label, COST, {
            name: [
                plot.Mark(
                    point.x, point.cpu_microseconds, point.least_microseconds,
                    point.most_microseconds)
                for point in points]
            for name, points in axis.lines.items()})
        for axis in axes.values()]
    with open(path, "w", encoding="utf-8") as file:
        file.write(plot.svg("What a callback costs the server", machine, panels))


def _growth_budgets(_axes):
    return []


PARTS = {"growth": _growth_part}
BUDGETS = {"growth": _growth_budgets}
