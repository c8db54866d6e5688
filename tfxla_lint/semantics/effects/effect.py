"""Effects: what a piece of code does that running it in a trace changes, refuses or does once."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import libcst as cst

from tfxla_lint.semantics.units import Unit


class EffectKind(Enum):
    """The kinds of effects."""

    PRINT = "prints"
    LOG = "writes a log"
    OUTPUT = "writes files, plots or other output"
    CLOCK = "reads a clock"
    DRAW = "draws a random number in Python"
    FRESH = "makes a fresh name"
    MUTATE = "changes a container in place"
    STORE = "stores into an array or container"
    SET = "sets an attribute"
    REBIND = "rebinds an outer name"
    COUNT = "counts on an outer name or attribute"
    READ_NAME = "reads a name"
    READ_ATTRIBUTE = "reads an attribute"
    LOOK_UP = "looks an attribute up when it runs"
    READ_VALUE = "reads a tensor's value"
    EAGER_ONLY = "works eagerly only"
    MAKE = "makes an object"
    NUMPY = "hands values to NumPy"
    PYTHON = "asks a tensor for what Python needs"
    INSPECT = "asks for the kind of a value, or for the mode"
    SUMMARY = "writes a summary"
    TAPE = "uses a gradient tape"
    RUN = "runs functions of the project"
    RUN_KERAS = "runs a Keras object"
    UNKNOWN = "runs code that is not known"
    CATCH = "catches exceptions"
    RAISE = "raises"
    GENERATE = "yields or awaits"
    RETURN = "returns"
    JUMP = "leaves a turn of a loop"


class Autograph(Enum):
    """What AutoGraph makes of control flow that a tensor drives."""

    NO_MATTER = "it does not look at it"
    MAY_CONVERT = "it converts it where the values agree"
    CONVERTS = "it surely converts it"


@dataclass(frozen=True, slots=True)
class Effect:
    """One effect of the code of a function.

    `words` say what the code does, after "it". An effect that is not `is_sure` takes place only if
    a value is what nothing says that it is. `subject` is what the effect is about: the tensor that
    is read, the container that is changed, the name of what is called. `units` are the functions
    that a RUN may run. What AutoGraph converts is an effect only where AutoGraph does not run.
    """

    kind: EffectKind
    node: cst.CSTNode
    words: str = ""
    is_sure: bool = True
    subject: cst.BaseExpression | None = None
    name: str = ""
    units: tuple[Unit, ...] = ()
    autograph: Autograph = Autograph.NO_MATTER
