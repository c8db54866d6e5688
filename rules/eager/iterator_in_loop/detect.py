"""Datasets that each turn of a step loop starts again from the front, or builds anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.flow.origins import THROUGH, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.repeated.invariance import is_read, is_stored_in
from tfxla_lint.semantics.scopes import Binding, BindingKind
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.turns import runs_steps, step_loop
from tfxla_lint.semantics.values import PYTHON_SCALARS, Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

_CONSTRUCTORS = "tensorflow.data."
_STEADY_CONSTRUCTORS = behaviour.names(Trait.STEADY)
_STEADY_METHODS = behaviour.methods(Trait.STEADY, "dataset")
_RANDOM = frozenset({"random"}) | {name.rpartition(".")[2] for name in api.STATEFUL_RANDOM}
_LASTING = PYTHON_SCALARS | {Kind.TENSOR, Kind.NDARRAY, Kind.DATASET}


@dataclass(frozen=True, slots=True)
class Restart:
    """A dataset that a turn of `loop` starts again: at `node`, which reads the first element.

    With `is_made` the turn builds `dataset` anew from what stays the same. `is_steady` says that
    every start surely yields the same elements in the same order.
    """

    node: cst.Call
    dataset: cst.BaseExpression
    loop: Loop
    is_made: bool
    is_steady: bool

    @property
    def gives_arrays(self) -> bool:
        """Whether the element is one of NumPy arrays, which the turn could change in place."""
        first = self.node.args[0].value if self.node.args else None
        return isinstance(first, cst.Call) and isinstance(first.func, cst.Attribute)


def restarts(model: SemanticModel) -> Iterator[Restart]:
    """Those whose dataset no turn of the loop changes."""
    for call in model.nodes(cst.Call):
        dataset = _restarted(model, call)
        is_made = dataset is None and _is_construction(model, call)
        if is_made:
            dataset = call
        if dataset is None:
            continue
        loop = step_loop(model, call)
        if (
            not isinstance(loop, (cst.For, cst.While))
            or (runs_steps(model, loop) and not _is_all(model, call, loop))
            or not _stays(model, dataset, loop)
        ):
            continue
        yield Restart(call, dataset, loop, is_made, _is_steady(model, dataset))


def _is_all(model: SemanticModel, call: cst.Call, loop: Loop) -> bool:
    """Whether the one turn of `for x in ds.take(1)` is all that a turn of the loop does, with the steps:
    then it is no loop of epochs."""
    once = model.parent(call)
    others = [each for each in loop.body.body if each is not once]
    return (
        isinstance(once, cst.For)
        and model.parent(once) is loop.body
        and all(isinstance(each, cst.SimpleStatementLine) for each in others)
        and not model.works.of(others).total
    )


def _restarted(model: SemanticModel, call: cst.Call) -> cst.BaseExpression | None:
    """The dataset whose first element `next(iter(ds))` or `for x in ds.take(1)` reads."""
    if model.names.one(call.func) == "builtins.next" and len(call.args) == 1:
        return _started(model, call.args[0].value)
    parent = model.parent(call)
    if isinstance(parent, cst.For) and parent.iter is call and _is_method(model, call, "take"):
        count = model.value(call.args[0].value) if len(call.args) == 1 else None
        return call if count is not None and count.constant == 1 else None
    return None


def _started(model: SemanticModel, node: cst.BaseExpression) -> cst.BaseExpression | None:
    if not isinstance(node, cst.Call):
        return None
    if model.names.one(node.func) == "builtins.iter" and len(node.args) == 1:
        given = node.args[0].value
        return given if model.value(given).kind is Kind.DATASET else None
    if _is_method(model, node, "as_numpy_iterator") and isinstance(node.func, cst.Attribute):
        return node.func.value
    return None


def _is_method(model: SemanticModel, call: cst.Call, name: str) -> bool:
    receiver = model.value(call.func).receiver
    is_dataset = receiver is not None and receiver.kind is Kind.DATASET
    return is_dataset and model.value(call.func).name == name


def _is_construction(model: SemanticModel, call: cst.Call) -> bool:
    """Whether a call is the whole of `ds = tf.data.Dataset.from_...(...).batch(...)`."""
    if not isinstance(model.parent(call), cst.Assign):
        return False
    return model.value(call).kind is Kind.DATASET and _root(model, call) is not None


def _root(model: SemanticModel, node: cst.BaseExpression) -> cst.Call | None:
    """The constructor with which a chain of a dataset's methods begins."""
    while isinstance(node, cst.Call):
        name = model.names.one(node.func)
        if name is not None:
            return node if name.startswith(_CONSTRUCTORS) else None
        if not isinstance(node.func, cst.Attribute):
            return None
        node = node.func.value
    return None


def _is_steady(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether all that a dataset can be made by yields the same on every start."""

    def judge(made: cst.CSTNode, path: Path) -> bool | Look | None:
        if not isinstance(made, cst.Call):
            return THROUGH
        name = model.names.one(made.func)
        if name is not None:
            return name in _STEADY_CONSTRUCTORS
        if isinstance(made.func, cst.Attribute) and made.func.attr.value in _STEADY_METHODS:
            return question.of(made.func.value)
        return THROUGH

    question = Origins(model.flow, Through(returns=lambda edge: True, attributes=True), judge)
    return bool(question.of(node))


def _stays(model: SemanticModel, dataset: cst.BaseExpression, loop: Loop) -> bool:
    """Whether every turn of the loop means the same dataset by an expression."""
    own = {id(node) for node in walk(dataset)}
    in_loop = list(walk(loop.body, into_scopes=False))
    is_lexical = any(node is dataset for node in in_loop)
    for node in walk(dataset):
        if isinstance(node, (cst.Lambda, cst.BaseComp)):
            return False
        if isinstance(node, cst.Call) and not _is_repeatable(model, node):
            return False
        if isinstance(node, cst.Name) and is_read(model, node):
            if not _lasts(model, node, in_loop, own, is_lexical=is_lexical):
                return False
        if isinstance(node, cst.Attribute) and not model.names.of(node):
            if model.value(node).kind is not Kind.METHOD and is_stored_in(node.attr.value, loop):
                return False
    return True


def _is_repeatable(model: SemanticModel, call: cst.Call) -> bool:
    """Whether a call makes a dataset, or is an operation that draws no random numbers."""
    if model.callees(call):
        return False
    name = model.names.one(call.func)
    if name is not None and _RANDOM & set(name.split(".")):
        return False
    return model.value(call).kind is Kind.DATASET or (name is not None and api.is_op(name))


def _lasts(
    model: SemanticModel,
    name: cst.Name,
    in_loop: list[cst.CSTNode],
    own: set[int],
    *,
    is_lexical: bool,
) -> bool:
    if model.names.of(name):
        return True
    bindings = model.flow.reached(name).bindings
    inside = {id(node) for node in in_loop}
    if not bindings or any(id(binding.node) in inside for binding in bindings):
        return False
    if not is_lexical and not _is_outer(model, bindings):
        return False
    value = model.value(name)
    if value.loop is not None:
        return False
    if value.kind is Kind.NDARRAY:
        return is_lexical and not _may_be_filled(model, name, in_loop, own)
    parent = model.parent(name)
    is_holder = isinstance(parent, cst.Attribute) and value.class_ is not None
    return value.kind in _LASTING or is_holder


def _may_be_filled(
    model: SemanticModel, name: cst.Name, in_loop: list[cst.CSTNode], own: set[int]
) -> bool:
    """Whether the loop, or a function that it could call, mentions an array for another use."""
    inside = {id(node) for node in in_loop}
    unit = model.unit(name)
    others = (n for n in model.nodes(cst.Name) if n.value == name.value and id(n) not in own)
    return any(id(other) in inside or model.unit(other) is not unit for other in others)


def _is_outer(model: SemanticModel, bindings: Sequence[Binding]) -> bool:
    """Whether a name of a called function means one object of the module, or the instance."""
    if len(bindings) != 1:
        return False
    binding = bindings[0]
    if binding.kind is BindingKind.PARAMETER:
        unit = model.unit(binding.node)
        return unit.is_method and unit.parameters[0].name == binding.name
    return model.unit_of_scope(binding.scope).is_module
