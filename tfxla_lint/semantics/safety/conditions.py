"""What has to be known of code so that its trace surely does what it does eagerly, and what is missing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import libcst as cst


class Condition(Enum):
    """What has to be known of code so that its trace surely does what it does eagerly."""

    PLAIN = "the code is plain"
    CALLERS = "all calls are known"
    ARGUMENTS = "only tensors are passed"
    EFFECTS = "nothing but variables changes"
    STATE = "no Python state that is read changes"
    DRAWS = "nothing is drawn"
    SHAPES = "no shape or dtype is read in Python"
    OBJECTS = "no object is made anew"
    RESULTS = "the results are tensors"
    SIZES = "there are few traces"
    SHARED = "one trace does what each one did"


#: What is asked of the shapes of arguments: that they are few, or that one trace may serve them all.
_OF_SHAPES = (Condition.SIZES, Condition.SHARED)
#: What is asked of a function, however it is traced.
UNIT_CONDITIONS = tuple(c for c in Condition if c not in _OF_SHAPES)
#: What is asked of statements that move into a function: their calls are where they stood.
REGION_CONDITIONS = tuple(c for c in UNIT_CONDITIONS if c is not Condition.CALLERS)
#: What is asked of a model that is wrapped.
CALL_CONDITIONS = (
    Condition.PLAIN,
    Condition.ARGUMENTS,
    Condition.EFFECTS,
    Condition.STATE,
    Condition.DRAWS,
)


@dataclass(frozen=True, slots=True)
class Gap:
    """What is missing to a proof: the condition, and where and why it is not known to hold."""

    condition: Condition
    node: cst.CSTNode
    words: str
