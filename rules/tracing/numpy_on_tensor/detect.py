"""NumPy functions and Python indexing that need the value of a traced tensor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.effects.effect import EffectKind
from tfxla_lint.semantics.effects.excuses import is_excused
from tfxla_lint.semantics.flow.origins import THROUGH, Look, Origins, Through, makers
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.tracing.symbolic import is_symbolic
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

#: Functions that convert what they are given to an array. (`np.shape`, `np.ndim` and `np.flip` ask
#: the tensor itself and work; others are not known to fail.)
_CONVERTING = frozenset(name.removeprefix("numpy.") for name in behaviour.names(Trait.TO_ARRAY))
_PLAIN_LISTS = (cst.List, cst.Tuple, cst.ListComp)


@dataclass(frozen=True, slots=True)
class NumpyUse:
    """A call (`np.sum(x)`) or an index (`table[x]`), and words for it."""

    node: cst.Call | cst.Subscript
    what: str


def numpy_uses(model: SemanticModel, unit: Unit) -> Iterator[NumpyUse]:
    """The uses in a traced unit's own code that fail on a tensor without a value."""
    for node in unit.own(cst.Call, cst.Subscript):
        found: NumpyUse | None = None
        if isinstance(node, cst.Call):
            found = _call(model, node)
        else:
            found = _index(model, node)
        if found is not None and not is_excused(model, EffectKind.NUMPY, node):
            yield found


def numpy_function(model: SemanticModel, node: cst.Call) -> str | None:
    """What a call is of `numpy` ("sum", "linalg.norm"), or None."""
    name = model.names.one(node.func)
    return name[6:] if name is not None and name.startswith("numpy.") else None


def _call(model: SemanticModel, node: cst.Call) -> NumpyUse | None:
    return NumpyUse(node, f"`np.{numpy_function(model, node)}`") if _fails(model, node) else None


def _fails(model: SemanticModel, node: cst.Call) -> bool:
    return bool(model.once("numpy_failures", lambda: _Failures(model)).tensors.of(node))


def is_meant_symbolic(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether an expression is a tensor without a value, or would be if NumPy did not fail on one.

    In `np.log(np.sum(x))` both functions have to be replaced.
    """
    return is_symbolic(model, node) or bool(
        model.once("numpy_failures", lambda: _Failures(model)).tensors.of(node)
    )


class _Failures:
    """Whether NumPy was given a tensor without a value on the way to an expression."""

    def __init__(self, model: SemanticModel) -> None:
        self._model = model
        self.tensors = Origins(model.flow, Through(), self._judge)

    def _judge(self, node: cst.CSTNode, path: Path) -> bool | Look | None:
        if isinstance(node, cst.BinaryOperation):
            return self._holds([node.left, node.right])
        if not isinstance(node, cst.Call) or path:
            return THROUGH
        if self._model.contexts.traced(self._model.unit(node)) is None:
            return None
        is_converting = numpy_function(self._model, node) in _CONVERTING
        return is_converting and self._holds([a.value for a in node.args if not a.star])

    def _holds(self, nodes: list[cst.BaseExpression]) -> bool:
        """Whether one is a tensor, or a list or tuple written there that holds one."""
        for node in nodes:
            if isinstance(node, (cst.List, cst.Tuple)):
                if self._holds([element.value for element in node.elements]):
                    return True
            elif is_symbolic(self._model, node) or self.tensors.of(node):
                return True
        return False


def _index(model: SemanticModel, node: cst.Subscript) -> NumpyUse | None:
    if len(node.slice) != 1 or not isinstance(node.slice[0].slice, cst.Index):
        return None
    parent = model.parent(node)
    if isinstance(parent, (cst.AssignTarget, cst.AugAssign, cst.Del)):
        return None
    index = node.slice[0].slice.value
    if not is_symbolic(model, index) or not _is_python_sequence(model, node.value):
        return None
    kind = "a NumPy array" if model.value(node.value).kind is Kind.NDARRAY else "a Python sequence"
    return NumpyUse(node, f"indexing {kind}")


def _is_python_sequence(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether a name surely holds an array or list that was made in Python, and no argument.

    The arrays that are passed to a traced function become tensors.
    """
    if not isinstance(node, cst.Name):
        return isinstance(node, _PLAIN_LISTS)
    if model.value(node).kind not in (Kind.NDARRAY, Kind.LIST, Kind.TUPLE):
        return False
    made = makers(model.flow, node)
    return bool(made) and all(_makes_sequence(model, each) for each in made)


def _makes_sequence(model: SemanticModel, value: cst.BaseExpression) -> bool:
    if isinstance(value, cst.Call):
        name = numpy_function(model, value)
        return name is not None and model.value(value).kind is Kind.NDARRAY
    return isinstance(value, _PLAIN_LISTS)
