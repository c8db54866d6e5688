"""Tensors that Keras knows more of than their values, which does not go into a trace or out of it.

A layer may give a mask along, and its activation the logits of what it gives; cross-entropies of Keras
take them. In a graph they also see the operation that made their argument, which eager tensors have
not: there a softmax of TensorFlow's own is one to them, and eagerly it is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.parts import gone_through
from tfxla_lint.semantics.scopes import Binding, BindingKind
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_MASKS = behaviour.names(Trait.CARRIES_MASK)
_LOOKS_BACK = behaviour.names(Trait.LOOKS_BACK)
_LOOKING = behaviour.methods(Trait.LOOKS_BACK)
_MARKS = behaviour.names(Trait.MARKS)
_BINARY = behaviour.names(Trait.ONE_SHAPE)
_SOFTMAXES = behaviour.names(Trait.GIVES_SHARES)
#: What gives back the very tensor that it is given, where it need not change it.
_SAME_TENSOR = behaviour.names(Trait.HANDS_ON)
_LAYERED = frozenset({Kind.MODEL, Kind.LAYER, Kind.UNKNOWN, Kind.OBJECT})
_PASSING = behaviour.names(Trait.PASSES_MEMBERS)
_DATA = frozenset({Kind.DATASET, Kind.NDARRAY, Kind.RANGE})
#: Where functions stand whose results Keras knows more of.
_HOMES = ("tensorflow.keras.layers.", "tensorflow.keras.activations.")
_COMPUTING = (cst.BinaryOperation, cst.Comparison, cst.ComparisonTarget, cst.Attribute)
_FRESH = (cst.BinaryOperation, cst.UnaryOperation, cst.Comparison, cst.BaseNumber)


def looking_back(model: Answers) -> cst.CSTNode | None:
    """What, anywhere, asks more of what layers give than its values; None where nothing does."""
    for node in (*model.everywhere(cst.Name), *model.everywhere(cst.Attribute)):
        if model.names.of(node) & (_MASKS | _LOOKS_BACK) or _is_asking_model(model, node):
            return node
    keywords = (a for a in model.everywhere(cst.Arg) if a.keyword is not None)
    return next((a for a in keywords if a.keyword and a.keyword.value == "mask_zero"), None)


def told_in_graphs(model: Answers) -> cst.CSTNode | None:
    """An operation, anywhere, that a cross-entropy of Keras' tells in a graph, and not eagerly."""
    nodes = [*model.everywhere(cst.Name), *model.everywhere(cst.Attribute)]
    looking = {name for node in nodes for name in model.names.of(node) & _LOOKS_BACK}
    looking |= {model.code(node) for node in nodes if _is_asking_model(model, node)}
    # What compares two classes knows a sigmoid and no softmax.
    marks = _MARKS if looking - _BINARY else _MARKS - _SOFTMAXES
    if not looking:
        return None
    return next(
        (n for n in nodes if model.names.of(n) & marks and not _is_marking_none(model, n)), None
    )


def _is_asking_model(model: Answers, node: cst.CSTNode) -> bool:
    """Whether a model, or what may be one, is asked for the loss that it was compiled with."""
    if not isinstance(node, cst.Attribute) or node.attr.value not in _LOOKING:
        return False
    return model.value(node.value).kind in _LAYERED and not model.names.of(node)


def _is_marking_none(model: Answers, node: cst.CSTNode) -> bool:
    """Whether an operation is called, and its result goes to other operations alone."""
    call = model.parent(node)
    is_called = isinstance(call, cst.Call) and call.func is node
    is_part = isinstance(call, (cst.Attribute, cst.ImportAlias))
    return is_part or (
        is_called and isinstance(call, cst.Call) and _is_only_computed_with(model, call)
    )


def is_more_than_values(model: Answers, node: cst.BaseExpression) -> bool:
    """Whether an expression may give the very tensor that a layer gave, to code which asks for that."""
    return _may_come_of_layer(model, node) and not _is_only_computed_with(model, node)


def _is_only_computed_with(model: Answers, node: cst.BaseExpression) -> bool:
    """Whether all that becomes of a value is that operations compute with it."""
    place = model.parent(node)
    if isinstance(place, cst.Assign) and len(place.targets) == 1:
        target = place.targets[0].target
        bound = model.flow.bound_in(model.binder.scope(node), model.code(target), place)
        reads = [read for binding in bound for read in model.flow.readers(binding)]
        return bool(bound) and all(_is_only_computed_with(model, read) for read in reads)
    call = model.parent(place) if isinstance(place, cst.Arg) else None
    if isinstance(call, cst.Call):
        names = model.names.of(call.func)
        is_known = names and all(behaviour.holds(Trait.SAME, name) for name in names)
        return bool(is_known) and not names & (_LOOKS_BACK | _SAME_TENSOR) and not _is_layer(names)
    return isinstance(place, _COMPUTING)


def _may_come_of_layer(model: Answers, node: cst.BaseExpression) -> bool:
    made = makers(model.flow, node) or [node]
    return any(_may_be_of_layer(model, each) for each in made)


def _may_be_of_layer(model: Answers, made: cst.BaseExpression) -> bool:
    if isinstance(made, _FRESH):
        return False
    if isinstance(made, cst.Subscript):
        return model.value(made.value).kind is not Kind.TENSOR
    if isinstance(made, cst.Name):
        bindings = model.flow.reached(made).bindings
        is_constant = model.value(made).has_constant
        return not is_constant and not (bindings and all(_is_of_data(model, b) for b in bindings))
    if not isinstance(made, cst.Call):
        return True
    names = model.names.of(made.func)
    if names & _SAME_TENSOR:
        return any(_may_come_of_layer(model, argument.value) for argument in made.args)
    if names:
        return _is_layer(names)
    return model.value(made.func).holder.kind in _LAYERED or bool(model.calls.at(made))


def _is_of_data(model: Answers, binding: Binding) -> bool:
    """Whether a name is bound to a member of a data set, or to what an operation made."""
    if binding.kind is BindingKind.ASSIGNMENT and isinstance(binding.value, cst.Call):
        names = model.names.of(binding.value.func)
        return bool(names) and not names & _SAME_TENSOR and not _is_layer(names)
    loop = next((a for a in model.ancestors(binding.node) if isinstance(a, cst.For)), None)
    if binding.kind is not BindingKind.FOR or loop is None:
        return False
    pending: list[cst.BaseExpression] = [loop.iter]
    while pending:
        part = pending.pop()
        inner = _gone_through(model, part)
        if not inner and model.value(part).kind not in _DATA:
            return False
        pending += inner
    return True


def _gone_through(model: Answers, node: cst.BaseExpression) -> Sequence[cst.BaseExpression]:
    """The arguments of which an iterator over others, such as `enumerate`, gives the members."""
    name = model.names.one(node.func) if isinstance(node, cst.Call) else None
    if name is None or not isinstance(node, cst.Call):
        return ()
    if name in _PASSING and not name.startswith("builtins."):
        return [argument.value for argument in node.args[:1]]
    return gone_through(name, node)


def _is_layer(names: frozenset[str]) -> bool:
    return any(name.startswith(_HOMES) for name in names)
