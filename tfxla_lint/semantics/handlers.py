"""What an `except` waits for: the errors that tracing raises itself, or those of a graph that runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_HOMES = ("tensorflow.errors.", "tensorflow.python.framework.errors_impl.")
#: What the end of an iterator raises, which a graph tells by an error of its own.
END_OF_ITERATOR = "builtins.StopIteration"


def caught_names(model: Answers, handler: cst.ExceptHandler | cst.ExceptStarHandler) -> list[str]:
    """The full names of the classes that a handler takes; empty where it takes all, or one of which
    nothing is known."""
    kind = handler.type
    if kind is None:
        return []
    parts = [e.value for e in kind.elements] if isinstance(kind, cst.Tuple) else [kind]
    names = [model.names.one(part) for part in parts]
    return [name for name in names if name is not None] if None not in names else []


def is_of_graphs(name: str) -> bool:
    """Whether a graph that runs raises errors of this class, and tracing does not."""
    return name.startswith(_HOMES) or name == END_OF_ITERATOR
