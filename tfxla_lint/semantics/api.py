"""What TensorFlow, Keras and NumPy names do: the kind of their results, whether they compute,
and how they run a callable that they are given.

Names are canonical (`tensorflow.keras...`). Sources: the API pages of TensorFlow 2.21, and for
the routes runs of that version.
"""

from __future__ import annotations

from functools import lru_cache

from tfxla_lint.knowledge import behaviour, symbols
from tfxla_lint.knowledge.behaviour import Behaviour, Effect, Trait
from tfxla_lint.semantics.values import Kind

TF = "tensorflow."
KERAS = "tensorflow.keras."
#: The API of TensorFlow 1. What it has by a name of TensorFlow 2 computes as that does.
FIRST_API = "tensorflow.compat.v1."


_KINDS = {kind.name.lower(): kind for kind in Kind}


def kind_named(name: str | None) -> Kind:
    """The kind that the table of behaviour means by a name."""
    return _KINDS.get(name or "", Kind.UNKNOWN)


def kind_of(row: Behaviour) -> Kind:
    """The kind of result that a row of the table of behaviour names."""
    return kind_named(row.result)


#: Base classes and the kind of the instances of what derives from them.
ROLES = {name: kind_of(behaviour.of(name)) for name in behaviour.names(Trait.BASE)}


class CallResult:
    """The kind of a call's result: `kind`, and `count` tensors where it is a tuple of them."""

    __slots__ = ("count", "kind")

    def __init__(self, kind: Kind, count: int = 0) -> None:
        self.kind = kind
        self.count = count


def is_tensorflow(name: str) -> bool:
    """Whether a canonical name lies in TensorFlow or Keras."""
    return name.startswith(TF) or name == "tensorflow"


@lru_cache(maxsize=8192)
def result_of(name: str) -> CallResult:
    """The kind of what calling a TensorFlow or Keras name gives; UNKNOWN where not known."""
    row = behaviour.of(name)
    if row.result is not None:
        return CallResult(kind_of(row), row.count)
    head, _, last = name.rpartition(".")
    if name.startswith("tensorflow.data.Dataset."):
        return CallResult(Kind.DATASET)
    if last[:1].isupper() and not (last.isupper() and head.rpartition(".")[2] in _ABBREVIATING):
        home = behaviour.home(name)
        if home.result is not None and (home.result != "strategy" or "Strategy" in last):
            return CallResult(kind_of(home))
    if not is_op(name):
        return CallResult(Kind.UNKNOWN)
    if head == "tensorflow.ragged" or head == "tensorflow.sparse":
        return CallResult(Kind.UNKNOWN if last[:1].isupper() else Kind.TENSOR)
    return CallResult(Kind.TENSOR)


@lru_cache(maxsize=8192)
def is_op(name: str) -> bool:
    """Whether calling this name computes on tensors (one op or several)."""
    if not name.startswith(TF) or name in behaviour.names(Trait.HOST):
        return False
    if name.startswith(FIRST_API):
        beside = TF + name.removeprefix(FIRST_API)
        return symbols.exists(beside) and is_op(beside)
    head, _, last = name.rpartition(".")
    if not last[:1].islower():
        is_short = head.rpartition(".")[2] in _ABBREVIATING and last.isupper() and len(last) <= 5
        is_class = behaviour.of(name).result is not None
        return last in ("Assert", "SparseTensor", "IndexedSlices") or (is_short and not is_class)
    if head == "tensorflow":
        return True
    if head + "." in behaviour.prefixes(Trait.OPERATIONS):
        return True
    return head == "tensorflow.debugging" and last.startswith(("assert_", "check_numerics"))


#: The modules that have functions under the capital letters of their names: `MSE`.
_ABBREVIATING = frozenset({"losses", "metrics"})

#: tf.random functions that draw from state; `stateless_*` ones do not.
STATEFUL_RANDOM = behaviour.names(Effect.DRAWS)


#: Methods of a Keras model that Keras traces unless the model runs eagerly.
TRACED_MODEL_METHODS = behaviour.methods(Trait.TRACED_STEP, "model")
#: Methods that Keras calls from inside and outside of traces.
KERAS_CALLED_METHODS = behaviour.methods(Trait.KERAS_CALLED, "model")

#: Methods of a Keras model that run whole loops in Python; they fail inside a trace.
KERAS_LOOP_METHODS = behaviour.methods(Trait.KERAS_LOOP, "model")
KERAS_HOST_METHODS = behaviour.methods(Trait.HOST, "model")
