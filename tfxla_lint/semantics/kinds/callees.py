"""What the abstract interpreter notes of calls: the functions that they run or hand over."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import libcst as cst

from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Tracing


class Reception(Enum):
    """What a call passes for the first parameter, before its arguments."""

    NOTHING = "nothing"
    DOTTED = "the object before the dot"
    CALLED = "the object that is called"
    MADE = "the object that it makes"
    BOUND = "an object that was bound before"
    RELAYED = "whatever what runs it passes on, as its arguments"


@dataclass(frozen=True, slots=True)
class Callee:
    """A first-party function that a call runs; `tracing` where it runs through `tf.function`.

    `skip` leading parameters are bound before the arguments of the call: the receiver, and what the
    arguments `partial` of a `functools.partial` feed.
    """

    unit: Unit
    tracing: Tracing | None
    skip: int = 0
    reception: Reception = Reception.NOTHING
    partial: tuple[cst.Arg, ...] = ()


@dataclass(frozen=True, slots=True)
class Use:
    """A first-party function handed to something at `node`.

    `how` is "traced", "inherits", "eager" or "unknown": the way in which the receiver runs it.
    """

    unit: Unit
    node: cst.CSTNode
    how: str
    tracing: Tracing | None = None
