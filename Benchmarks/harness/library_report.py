"""The part of the report about the libraries by themselves."""

from harness.budgets import Budget
from harness.noise import noise

LIMITS = {
    "json-links": (300, True),
    "json-numbers": (300, True),
    "json-strings": (300, True),
    "decision-last": (5, False),
    "decision-none": (5, False),
    "lint-128k": (20, False),
    "decode-welltory": (5, False),
    "decode-dimmy": (15, False),
    "decode-ailet": (1, False),
}
"""By a row's name: the limit in the row's unit, and whether it is the least."""


def _library_part(figures, table):
    rows = [
        [row.what, row.unit, f"{row.figure:,.1f}", *_peer_cells(row)]
        for row in figures.rows.values()]
    whole = table(["", "unit", "landfall", "peer", "peer's", "landfall / peer"], rows)
    return f"Libraries by themselves, in CPU time\n\n{whole}" + noise([figures])


def _peer_cells(row):
    if row.peer is None:
        return ["", "", ""]
    return [row.peer, f"{row.peer_figure:,.1f}", f"{row.figure / row.peer_figure:.1f} ×"]


def _library_budgets(figures):
    return [
        Budget(row.what, row.figure, *_limit(name, row))
        for name, row in figures.rows.items() if name in LIMITS]


def _limit(name, row):
    limit, is_minimum = LIMITS[name]
    return limit, row.unit, is_minimum


PARTS = {"library": _library_part}
BUDGETS = {"library": _library_budgets}
