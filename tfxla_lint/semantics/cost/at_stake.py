"""What findings say is at stake; `stakes` tells what that costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import libcst as cst

if TYPE_CHECKING:
    from tfxla_lint.semantics.loops import Turning
    from tfxla_lint.semantics.units import Unit


@dataclass(frozen=True, slots=True)
class Eager:
    """Code that runs op by op and could be a graph: what it asks is paid whenever `place` is run.

    Hot loops in it speak for themselves.
    `node` is the loop or function that a recorded run knows.
    """

    code: Sequence[cst.CSTNode]
    place: cst.CSTNode
    node: Turning | None = None


@dataclass(frozen=True, slots=True)
class Dear:
    """A call with much around it, `kind`, where a cheaper one, `instead`, would do.

    `instead` is "" where the model itself would be called; "nothing" where nothing would be.
    """

    call: cst.CSTNode
    kind: str
    instead: str = ""


@dataclass(frozen=True, slots=True)
class Retraced:
    """A function that is traced again, or compiled, `count` times where that is known, or whenever
    `place` is run."""

    unit: Unit | None
    place: cst.CSTNode
    count: int | None = None
    is_each_time: bool = False
    is_compiled: bool = False


@dataclass(frozen=True, slots=True)
class Rows:
    """Code that is run for each of `count` rows, None where their number is not known, whenever
    `place` is; `is_backward` where that asks a tape for gradients of what `code` records, and no
    more."""

    code: Sequence[cst.CSTNode]
    place: cst.CSTNode
    count: int | None
    is_backward: bool = False


@dataclass(frozen=True, slots=True)
class Recorded:
    """Statements that a tape records for nothing, whenever `place` is run eagerly."""

    code: Sequence[cst.CSTNode]
    place: cst.CSTNode


@dataclass(frozen=True, slots=True)
class Elements:
    """What a stage of a pipeline does to each element: calls of a kind that has a price, `kind`, or
    what the graph of `unit` takes. There are `count` on each run of `place`, which goes through
    them; None where that is not known."""

    kind: str
    unit: Unit | None
    place: cst.CSTNode
    count: int | None


@dataclass(frozen=True, slots=True)
class Graph:
    """A traced function that XLA may compile, on each call at `place`."""

    unit: Unit
    place: cst.CSTNode


AtStake: TypeAlias = "Eager | Dear | Retraced | Rows | Recorded | Elements | Graph"
