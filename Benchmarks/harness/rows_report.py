"""The part of the report about what a stored record costs."""

from harness.budgets import Budget
from harness.noise import noise

JUDGED_BATCH = 64


def _rows_part(figures, table):
    rows = [
        [f"{batch:,}", f"{row.files_cpu:,.1f}", f"{row.files_per_second:,.0f}",
         f"{row.landfall_cpu:,.1f}", f"{row.database_cpu:,.1f}",
         f"{row.database_per_second:,.0f}", f"{row.files_cpu / row.database_cpu:.2f} ×"]
        for batch, row in figures.rows.items()]
    whole = table(
        ["records in a batch", "files and index: CPU µs a record", "records/s",
         "database: Landfall's CPU µs", "PostgreSQL's CPU µs", "records/s", "files / PostgreSQL"],
        rows)
    return f"A stored record, one batch at a time\n\n{whole}" + noise([figures])


def _rows_budgets(figures):
    row = figures.rows[JUDGED_BATCH]
    return [Budget(
        f"stored record, {JUDGED_BATCH} at a time: CPU of files and index / PostgreSQL's",
        row.files_cpu / row.database_cpu, 1.00, "×")]


PARTS = {"rows": _rows_part}
BUDGETS = {"rows": _rows_budgets}
