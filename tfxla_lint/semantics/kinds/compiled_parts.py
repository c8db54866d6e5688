"""What `compile` gives a model of Keras to run in each of its steps: losses and metrics.

Keras traces them with the step, whether they are functions or objects of the project's classes
(https://keras.io/api/models/model_training_apis/#compile-method). The `result` of a metric it asks for
outside of a trace as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.kinds.evaluator import Evaluator
from tfxla_lint.semantics.units import ClassInfo, Unit
from tfxla_lint.semantics.values import Kind, Value, leaves

_METHODS = {
    kind: behaviour.methods(Trait.COMPILED_PART, kind.name.lower())
    for kind in (Kind.LOSS, Kind.METRIC)
}


@dataclass(frozen=True, slots=True)
class Part:
    """A function that a compiled model runs; `bound` of its parameters are given already, and of a method
    its object is one of `receivers`."""

    unit: Unit
    bound: int
    receivers: tuple[ClassInfo, ...] = ()


def parts(evaluator: Evaluator, given: Iterable[Value]) -> Iterator[Part]:
    """The project's functions that a model runs which is compiled with these arguments."""
    for value in (leaf for argument in given for leaf in leaves(argument)):
        if value.kind is Kind.FUNCTION and value.unit is not None:
            yield Part(value.unit, value.bound)
        elif value.class_ is not None:
            for member in evaluator.classes(value):
                methods = (evaluator.method(member, name) for name in _METHODS.get(value.kind, ()))
                yield from (Part(unit, 1, (member,)) for unit in methods if unit is not None)
