"""The closed list of reasons why code can't be traced as it stands."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import libcst as cst


class Reason(str, Enum):
    """Why tracing would fail or change what the code does."""

    EAGER_ONLY_CALL = "eager-only-call"
    SIDE_EFFECT = "python-side-effect"
    NUMPY = "numpy-on-tensor"
    FROZEN_VALUE = "frozen-python-value"
    UNRESOLVED_CALL = "unresolved-call"
    UNKNOWN_DECORATOR = "unknown-decorator"
    CREATION = "object-made-on-each-call"
    AUTOGRAPH = "autograph-limit"
    CHANGING_STATE = "changing-python-state"
    PYTHON_ARGUMENT = "varying-python-argument"
    NUMPY_ARGUMENT = "numpy-argument"
    TAPE = "tape-across-boundary"
    RESULT = "non-tensor-result"
    STRATEGY = "inside-strategy-run"
    SUMMARY = "summary"
    GENERATOR = "generator-or-coroutine"
    CONTROL = "leaves-the-loop-body"
    DIFFERENT_OBJECTS = "different-models-or-optimizers"
    UNHASHABLE = "object-without-hash"


#: Reasons that rest on what is not known here: the code may as well trace well.
_DOUBTS = frozenset(
    {Reason.UNRESOLVED_CALL, Reason.UNKNOWN_DECORATOR, Reason.CHANGING_STATE, Reason.NUMPY_ARGUMENT}
)


@dataclass(frozen=True, slots=True)
class Blocker:
    """One reason, the node that gives it, and what is wrong there, in words that follow "it".

    `places` are what the words speak of, where that stands elsewhere: in a function that is called.
    `changes` are the parameters of a called function whose argument it changes: who passes what is
    made in the trace has nothing in its way. `is_recorded` says that a tape which records the call
    makes it no reason, and `behind` are further reasons in a function that is called: what takes
    this one away leaves the others.
    """

    reason: Reason
    node: cst.CSTNode
    message: str
    of_unknown: bool = False
    places: tuple[cst.CSTNode, ...] = ()
    changes: frozenset[str] = frozenset()
    is_recorded: bool = False
    behind: tuple[Blocker, ...] = ()

    @property
    def read(self) -> cst.CSTNode:
        """What the words speak of first, in a function that is called if it stands there."""
        return self.places[0] if self.places else self.node

    @property
    def is_of_attribute(self) -> bool:
        """Whether an attribute is set anew, which a trace does not see."""
        return self.reason is Reason.CHANGING_STATE and isinstance(self.read, cst.Attribute)

    @property
    def may_be_lifted(self) -> bool:
        """Whether it depends on who runs the code: on what records it, or for how long it is traced."""
        return self.is_recorded or self.is_of_attribute

    @property
    def is_doubt(self) -> bool:
        """Whether nobody can say from the code that tracing would fail or change what it does."""
        return self.of_unknown or self.reason in _DOUBTS
