"""Whether a Python argument says which model or optimizer a function runs.

`nets[key]` and `actor if is_actor else critic` meet another object for another argument: its
variables would be made on a later trace, which `tf.function` refuses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.flow.origins import THROUGH, Agree, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.safety.lifetimes import makes_variables
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Parameter, Unit
from tfxla_lint.semantics.values import Kind, leaves

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers


def choice_by(model: Answers, unit: Unit, parameter: Parameter) -> cst.CSTNode | None:
    """Where a parameter, for which calls pass several values, chooses what makes variables."""
    value = parameter.value
    if not (value.is_python_scalar or value.kind is Kind.UNKNOWN) or not _varies(
        model, unit, parameter
    ):
        return None
    computed = _Computed(model, unit, parameter)
    found = (_choice(model, unit, read) for read in computed.reads if computed.origins.of(read))
    return next((choice for choice in found if choice is not None), None)


def _varies(model: Answers, unit: Unit, parameter: Parameter) -> bool:
    """Whether the calls in sight pass anything but one constant."""
    given = [edge.argument(parameter.name) for edge in model.calls.untraced(unit)]
    values = [model.value(node) if node is not None else None for node in given]
    if any(value is not None and not value.has_constant for value in values):
        return True
    return len({value.constant if value is not None else ... for value in values}) > 1


class _Computed:
    """Whether what a read of a function finds is a parameter, or computed with it."""

    def __init__(self, model: Answers, unit: Unit, parameter: Parameter) -> None:
        self._model = model
        self._parameter = parameter.node
        self.reads = [read for reads in unit.scope.reads.values() for read in reads]
        self._known = {id(read) for read in self.reads}
        self.origins = Origins(model.flow, Through(agree=Agree.ANY), self._judge)

    def _judge(self, node: cst.CSTNode, path: Path) -> bool | Look | None:
        if isinstance(node, (cst.Param, cst.Name)):
            return THROUGH if isinstance(node, cst.Name) else node is self._parameter
        if not isinstance(node, cst.BaseExpression) or self._model.value(node).is_tensor:
            return None
        return self.origins.any(inner for inner in walk(node) if id(inner) in self._known)


def _choice(model: Answers, unit: Unit, read: cst.CSTNode) -> cst.CSTNode | None:
    """The item, call or branches by which a read chooses, if that makes variables."""
    inner = read
    for outer in model.ancestors(read):
        if isinstance(outer, cst.Subscript) and inner is not outer.value:
            if _makes(model, outer) or _makes(model, outer.value):
                return outer
        if isinstance(outer, cst.Call) and isinstance(inner, cst.Arg) and _hands_out(model, outer):
            return outer
        if isinstance(outer, (cst.If, cst.IfExp)) and inner is outer.test:
            return outer if _differ(model, unit, outer) else None
        if isinstance(outer, (cst.BaseSuite, cst.FunctionDef, cst.Lambda)):
            return None
        inner = outer
    return None


def _hands_out(model: Answers, call: cst.Call) -> bool:
    """Whether a call gives what makes variables, or looks it up in a container: `nets.get(key)`."""
    if _makes(model, call):
        return True
    holder = call.func.value if isinstance(call.func, cst.Attribute) else None
    if holder is None or model.value(holder).kind not in (Kind.DICT, Kind.LIST):
        return False
    return _makes(model, holder)


def _differ(model: Answers, unit: Unit, choice: cst.If | cst.IfExp) -> bool:
    """Whether one branch meets an object that neither the other nor the code around meets."""
    inside = {id(node) for node in walk(choice)}
    around = [n for root in unit.body for n in walk(root) if id(n) not in inside]
    first = _met(model, walk(choice.body))
    second = _met(model, walk(choice.orelse)) if choice.orelse is not None else set()
    return bool((first ^ second) - _met(model, around))


def _met(model: Answers, nodes: Iterable[cst.CSTNode]) -> set[str]:
    """The objects outside that make variables, as they are spelled."""
    spelled: Sequence[cst.CSTNode] = [n for n in nodes if isinstance(n, (cst.Name, cst.Attribute))]
    return {model.code(node) for node in spelled if _makes(model, node)}


def _makes(model: Answers, node: cst.CSTNode) -> bool:
    return any(makes_variables(leaf) for leaf in leaves(model.value(node)))
