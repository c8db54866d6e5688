"""Tensors that each turn of a loop hands to the next one in another size, and arguments like them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.flow.origins import THROUGH, Agree, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.scopes import Binding, Scope
from tfxla_lint.semantics.units import Parameter, Unit
from tfxla_lint.semantics.varying.growing import joined_axis
from tfxla_lint.semantics.varying.sizes_of_data import is_mask, is_sized_by_data
from tfxla_lint.semantics.varying.varying_shapes import varying_shape

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.loops import Loop

_TF, _NP = "tensorflow.", "numpy."
_JOINING = behaviour.names(Trait.JOINS)
_CUTTING = behaviour.names(Trait.RESIZES)
_KEEPING = behaviour.keeping_shape()
_GATHERING = frozenset({_TF + "gather", _NP + "take"})
#: What picks rows, of which each stays as long as it is.
_PICKING = _GATHERING | {_TF + "gather_nd"}
#: What gives the indices of all rows in another order.
_ORDERING = behaviour.names(Trait.PERMUTES)
_ORDERING_METHODS = frozenset({"permutation", "argsort"})


def has_changing_size(
    model: Answers, unit: Unit, name: str, at: cst.CSTNode, loops: Sequence[Loop]
) -> bool:
    """Whether a name of `unit` holds arrays of several sizes at a statement in `loops`."""
    bindings = model.flow.reaching(unit.scope).before(name, at).bindings
    if any(b.value is not None and is_sized_by_data(model, b.value) for b in bindings):
        return True
    parameter = unit.parameter(name)
    if parameter is not None and takes_changing_size(model, unit, parameter):
        return True
    if _is_made_in_other_sizes(model, bindings, loops):
        return True
    return any(_is_carried(model, unit.scope, name, bindings, loop) for loop in loops)


def takes_changing_size(model: Answers, unit: Unit, parameter: Parameter) -> bool:
    """Whether calls pass arrays of several sizes: picked by a mask, cut or handed on by a loop."""
    for edge in model.calls.untraced(unit):
        given = edge.argument(parameter.name)
        if given is None:
            continue
        loops = model.loops.around(edge.node, edge.caller)
        if is_sized_by_data(model, given) or varying_shape(model, given, loops) is not None:
            return True
        if isinstance(given, cst.Name):
            bindings = model.flow.reached(given).bindings
            scope = edge.caller.scope
            if _is_made_in_other_sizes(model, bindings, loops):
                return True
            if any(_is_carried(model, scope, given.value, bindings, loop) for loop in loops):
                return True
    return False


def _is_made_in_other_sizes(
    model: Answers, bindings: Iterable[Binding], loops: Sequence[Loop]
) -> bool:
    """Whether one of the bindings that may be read gives another size on many turns of a loop."""
    given = (model.flow.given(binding) for binding in bindings)
    return any(varying_shape(model, each, loops) is not None for each in given if each is not None)


def _is_carried(
    model: Answers, scope: Scope, name: str, bindings: Iterable[Binding], loop: Loop
) -> bool:
    """Whether a turn of `loop` rebinds a name to something of another size, made of itself."""
    carried = _Carried(model, scope, name)
    return any(
        carried.resized.of(model.flow.given(binding))
        for binding in bindings
        if loop in model.ancestors(binding.node)
    )


class _Carried:
    """Whether an expression is what a name holds, as it is or cast, or made longer or cut."""

    def __init__(self, model: Answers, scope: Scope, name: str) -> None:
        self._model = model
        self._scope = scope
        self._name = name
        through = Through(returns=lambda edge: True, agree=Agree.ANY)
        self.resized = Origins(model.flow, through, self._is_resized)
        self.whole = Origins(model.flow, Through(agree=Agree.ANY), self._is_whole, self.resized)
        self._rows = Origins(model.flow, Through(agree=Agree.ANY), self._are_rows, self.resized)
        self._orders = Origins(model.flow, Through(), self._is_order, self.resized)

    def _is_itself(self, node: cst.CSTNode) -> bool:
        if not isinstance(node, cst.Name) or node.value != self._name:
            return False
        return self._model.binder.scope(node).home(node.value) is self._scope

    def _is_whole(self, node: cst.CSTNode, path: Path) -> bool | Look | None:
        if isinstance(node, cst.Call):
            is_kept = node.args and self._model.names.of(node.func) & _KEEPING
            return self.whole.of(node.args[0].value) if is_kept else None
        return self._is_itself(node) or THROUGH

    def _are_rows(self, node: cst.CSTNode, path: Path) -> bool | Look | None:
        """Whether it is rows of what the name holds, in whatever number: each as long as it was."""
        if isinstance(node, cst.Call):
            is_picked = node.args and self._model.names.of(node.func) & (_KEEPING | _PICKING)
            return self._rows.of(node.args[0].value) if is_picked else None
        return self._is_itself(node) or THROUGH

    def _is_resized(self, node: cst.CSTNode, path: Path) -> bool | Look | None:
        if isinstance(node, cst.Subscript) and not path:
            is_cut = any(_cuts(self._model, element.slice) for element in node.slice)
            return (is_cut and self.whole.of(node.value)) or self.resized.of(node.value)
        if isinstance(node, cst.Call) and not self._model.callees(node):
            return self._is_call_resized(node)
        return None if self._is_itself(node) else THROUGH

    def _is_call_resized(self, node: cst.Call) -> bool | None:
        names = self._model.names.of(node.func)
        plain = [argument.value for argument in node.args if not argument.star]
        if names & _JOINING and plain:
            parts = plain[:2]
            if isinstance(plain[0], (cst.List, cst.Tuple)):
                parts = [element.value for element in plain[0].elements]
            # Behind each other rows may be as many as before; longer ones are longer each time.
            is_along = joined_axis(self._model, node) not in (None, 0)
            return self.whole.any(parts) or (is_along and self._rows.any(parts))
        if names & _CUTTING and plain:
            is_shuffled = len(plain) > 1 and names & _GATHERING and self._orders.of(plain[1])
            return not is_shuffled and self.whole.of(plain[0])
        return self.resized.of(plain[0]) if names & _KEEPING and plain else None

    def _is_order(self, node: cst.CSTNode, path: Path) -> bool | Look:
        """Whether indices are all of them, in another order."""
        if not isinstance(node, cst.Call):
            return THROUGH
        if self._model.names.of(node.func) & _ORDERING:
            return True
        return isinstance(node.func, cst.Attribute) and node.func.attr.value in _ORDERING_METHODS


def _cuts(model: Answers, part: cst.BaseSlice) -> bool:
    if isinstance(part, cst.Slice):
        return part.lower is not None or part.upper is not None
    return isinstance(part, cst.Index) and is_mask(model, part.value)
