"""Plots as SVG: panels side by side, each with lines of points over a logarithmic x axis.

A plot has its own background, light or dark as the reader prefers, so it can be read on any page. Text is
left to the viewer's fonts.
"""

import math
from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 500, 300
"""Of a panel."""
COLUMNS = 2
LEFT, RIGHT, TOP, BOTTOM = 62, 34, 52, 48
"""Margins of a panel, without the names of its lines."""
NAMES_WIDTH = 184
"""Of the margin for names, where a panel has several lines."""
TITLE_HEIGHT, NOTE_HEIGHT = 44, 28
LABEL_HEIGHT = 15
LOG_RATIO = 20
"""A y axis is logarithmic when its greatest value is more times its least."""
SUFFIXES = ((1e6, "M"), (1e3, "k"))

STYLE = """
text { font: 12px system-ui, sans-serif; fill: #1f2328; }
.title { font-size: 16px; font-weight: 600; } .panel { font-size: 13px; font-weight: 600; }
.note, .tick { fill: #59636e; } .paper { fill: #ffffff; }
.grid { stroke: #d1d9e0; stroke-width: 1; } .axis { stroke: #59636e; stroke-width: 1; }
.line { fill: none; stroke-width: 2; } .range { stroke-width: 1.5; }
.c0 { stroke: #0969da; } .c1 { stroke: #bc4c00; } .c2 { stroke: #1a7f37; } .c3 { stroke: #8250df; }
circle.c0 { fill: #0969da; } circle.c1 { fill: #bc4c00; }
circle.c2 { fill: #1a7f37; } circle.c3 { fill: #8250df; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; } .note, .tick { fill: #9198a1; } .paper { fill: #0d1117; }
  .grid { stroke: #2f353d; } .axis { stroke: #9198a1; }
  .c0 { stroke: #58a6ff; } .c1 { stroke: #f0883e; } .c2 { stroke: #3fb950; } .c3 { stroke: #bc8cff; }
  circle.c0 { fill: #58a6ff; } circle.c1 { fill: #f0883e; }
  circle.c2 { fill: #3fb950; } circle.c3 { fill: #bc8cff; }
}
"""
COLOURS = 4


@dataclass(frozen=True)
class Mark:
    """A point, and the range that its value was measured in."""

    x: float
    y: float
    least: float
    most: float


@dataclass(frozen=True)
class Panel:
    """One plot of several: lists of `Mark` by the name of their line, at most `COLOURS` lines."""

    title: str
    x_label: str
    y_label: str
    lines: dict


def svg(title, note, panels):
    """The document."""
    rows = math.ceil(len(panels) / COLUMNS)
    width, height = COLUMNS * WIDTH, TITLE_HEIGHT + rows * HEIGHT + NOTE_HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img">',
        f"<title>{escape(title)}</title>", f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{width}" height="{height}" rx="8"/>',
        _text(24, 30, title, "title"), _text(24, height - 14, note, "note"),
    ]
    for number, panel in enumerate(panels):
        x, y = number % COLUMNS * WIDTH, TITLE_HEIGHT + number // COLUMNS * HEIGHT
        parts += [f'<g transform="translate({x} {y})">', *_panel(panel), "</g>"]
    return "\n".join((*parts, "</svg>", ""))


def _panel(panel):
    marks = [mark for line in panel.lines.values() for mark in line]
    right = WIDTH - (RIGHT if len(panel.lines) == 1 else NAMES_WIDTH)
    x_axis = _XAxis([mark.x for mark in marks], LEFT, right)
    y_axis = _YAxis([mark.least for mark in marks], [mark.most for mark in marks])
    parts = [_text(24, 24, panel.title, "panel"), _text(24, 42, panel.y_label, "note")]
    for value, place in y_axis.ticks():
        parts.append(_line(LEFT, place, right, place, "grid"))
        parts.append(_text(LEFT - 8, place + 4, _number(value), "tick", "end"))
    bottom = HEIGHT - BOTTOM
    for value, place in x_axis.ticks():
        parts.append(_line(place, bottom, place, bottom + 5, "axis"))
        parts.append(_text(place, bottom + 19, _number(value), "tick", "middle"))
    parts.append(_line(LEFT, bottom, right, bottom, "axis"))
    parts.append(_text((LEFT + right) / 2, bottom + 38, panel.x_label, "note", "middle"))
    for number, line in enumerate(panel.lines.values()):
        parts += _marks(line, f"c{number}", x_axis, y_axis)
    if len(panel.lines) == 1:
        line, = panel.lines.values()
        parts += [
            _text(x_axis.place(mark.x), y_axis.place(mark.most) - 9, _number(mark.y), "", "middle")
            for mark in line]
    else:
        parts += _names(panel.lines, right, y_axis)
    return parts


def _marks(line, colour, x_axis, y_axis):
    """A line, its points, and the range of each."""
    points = [(x_axis.place(mark.x), y_axis.place(mark.y)) for mark in line]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    parts = [f'<polyline class="line {colour}" points="{path}"/>']
    for mark, (x, y) in zip(line, points):
        parts.append(_line(
            x, y_axis.place(mark.least), x, y_axis.place(mark.most), f"range {colour}"))
        parts.append(f'<circle class="{colour}" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>')
    return parts


def _names(lines, right, y_axis):
    """Name and last value beside the end of each line, none over another."""
    ends = sorted((y_axis.place(line[-1].y), name, line[-1].y) for name, line in lines.items())
    parts, above = [], -math.inf
    for place, name, value in ends:
        above = max(place + 4, above + LABEL_HEIGHT)
        parts.append(_text(right + 10, above, f"{name}: {_number(value)}"))
    return parts


class _XAxis:
    """Decades. Nought, if it is there, is a decade before the first."""

    def __init__(self, values, left, right):
        positive = [math.log10(value) for value in values if value > 0]
        self._has_nought = len(positive) < len(values)
        self._first = math.floor(min(positive) + 1e-9) - self._has_nought
        self._last = max(math.ceil(max(positive) - 0.05), self._first + 1)
        # Points keep off the ends of the axis.
        self._left, self._step = left + 18, (right - left - 36) / (self._last - self._first)

    def place(self, value):
        exponent = math.log10(value) if value > 0 else self._first
        return self._left + (exponent - self._first) * self._step

    def ticks(self):
        for exponent in range(self._first, self._last + 1):
            is_nought = self._has_nought and exponent == self._first
            value = 0 if is_nought else 10 ** exponent
            yield value, self.place(value)


class _YAxis:
    """From nought, or in decades when the values lie far apart."""

    def __init__(self, least, most):
        low, high = min(least), max(most)
        self._is_log = low > 0 and high / low > LOG_RATIO
        if self._is_log:
            self._low, self._high = math.floor(math.log10(low)), math.ceil(math.log10(high))
            self._step = 1
        else:
            rough = (high or 1) / 4
            unit = 10 ** math.floor(math.log10(rough))
            self._step = next(unit * size for size in (1, 2, 2.5, 5, 10) if unit * size >= rough)
            self._low, self._high = 0, math.ceil(high / self._step) * self._step

    def place(self, value):
        at = math.log10(value) if self._is_log else value
        share = (at - self._low) / (self._high - self._low)
        return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP - 10)

    def ticks(self):
        for number in range(round((self._high - self._low) / self._step) + 1):
            at = self._low + number * self._step
            value = 10 ** at if self._is_log else at
            yield value, self.place(value)


def _number(value):
    for size, suffix in SUFFIXES:
        if value >= size * (10 if suffix == "k" else 1):
            return f"{value / size:.3g}{suffix}"
    return f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:.2g}"


def _line(x1, y1, x2, y2, kind):
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(x, y, text, kind="", anchor="start"):
    return (
        f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">'
        f"{escape(text)}</text>")
