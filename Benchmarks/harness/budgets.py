"""What a figure is held against."""

from dataclasses import dataclass


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
