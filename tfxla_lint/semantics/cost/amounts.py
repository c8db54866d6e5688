"""Numbers that are not known exactly: between which they lie, and which is the likeliest."""

from __future__ import annotations

import math
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
        """The product; two numbers that are both unsure are hardly both as far off as they can be."""
        by = other if isinstance(other, Amount) else exactly(other)
        likely = self.likely * by.likely
        if min(self.low, by.low) <= 0.0:
            return Amount(self.low * by.low, likely, self.high * by.high)
        below = math.hypot(math.log(self.likely / self.low), math.log(by.likely / by.low))
        above = math.hypot(math.log(self.high / self.likely), math.log(by.high / by.likely))
        return Amount(likely * math.exp(-below), likely, likely * math.exp(above))

    def without(self, part: Amount) -> Amount:
        """What is left of this when a part of it is not counted."""
        low, likely, high = self.low - part.low, self.likely - part.likely, self.high - part.high
        return Amount(max(low, 0.0), max(likely, 0.0), max(high, 0.0))


NOTHING = Amount()


#: Nothing that ends is larger: what is multiplied of such numbers stays a number.
_MOST = 1e18


def exactly(number: float) -> Amount:
    """A number that is known."""
    known = min(number, _MOST)
    return Amount(known, known, known)
