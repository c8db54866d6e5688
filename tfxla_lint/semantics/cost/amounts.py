"""Numbers that are not known exactly: between which they lie, and which is the likeliest."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Amount:
    """A number from `low` to `high`, probably about `likely`."""

    low: float = 0.0
    likely: float = 0.0
    high: float = 0.0

    def __add__(self, other: Amount) -> Amount:
        return Amount(self.low + other.low, self.likely + other.likely, self.high + other.high)

    def __mul__(self, other: Amount | float) -> Amount:
        by = other if isinstance(other, Amount) else exactly(other)
        return Amount(self.low * by.low, self.likely * by.likely, self.high * by.high)

    def without(self, part: Amount) -> Amount:
        """What is left of this when a part of it is not counted."""
        low, likely, high = self.low - part.low, self.likely - part.likely, self.high - part.high
        return Amount(max(low, 0.0), max(likely, 0.0), max(high, 0.0))


NOTHING = Amount()


def exactly(number: float) -> Amount:
    """A number that is known."""
    return Amount(number, number, number)
