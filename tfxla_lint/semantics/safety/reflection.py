"""Lists that may be changed in place, by whatever name."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect
from tfxla_lint.semantics import api
from tfxla_lint.semantics.flow.closure import closure
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.safety.passed_on import is_called
from tfxla_lint.semantics.safety.state import changed_by
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_LISTS = frozenset({Kind.LIST, Kind.UNKNOWN})
_CONTAINERS = _LISTS | {Kind.TUPLE, Kind.DICT}
#: What keeps in an object of its own what it is made of.
_MADE = frozenset({Kind.MODEL, Kind.LAYER, Kind.OPTIMIZER, Kind.METRIC, Kind.LOSS})
_MUTATING = behaviour.methods(Effect.MUTATES)


def mutated_containers(model: Answers) -> list[tuple[cst.BaseExpression, cst.CSTNode]]:
    """What is changed in place anywhere, and where."""
    found: list[tuple[cst.BaseExpression, cst.CSTNode]] = [
        (holder, call) for call in model.everywhere(cst.Call) for holder in changed_by(model, call)
    ]
    targets = model.ask(Safety).state.targets
    found += [(target.value, target) for target in targets if isinstance(target, cst.Subscript)]
    # A method that is kept under a name changes its list where nobody sees which.
    found += [
        (node.value, node)
        for node in model.everywhere(cst.Attribute)
        if node.attr.value in _MUTATING and not is_called(model, node)
    ]
    added = ((statement.target, statement) for statement in model.everywhere(cst.AugAssign))
    return [*found, *(each for each in added if model.value(each[0]).kind is Kind.LIST)]


def changed_lists(model: Answers) -> frozenset[int] | None:
    """What makes the lists that are changed in place anywhere; None where that is not known."""
    holders = [
        holder for holder, _ in model.ask(mutated_containers) if model.value(holder).kind in _LISTS
    ]
    holders += (
        argument.value
        for call in model.everywhere(cst.Call)
        if _may_change(model, call)
        for argument in call.args
        if model.value(argument.value).kind is Kind.LIST
    )
    found: list[cst.BaseExpression] = []
    for holder in holders:
        made = made_lists(model, holder)
        if made is None:
            return None
        found += made
    if any(isinstance(m, cst.Subscript) for h in holders for m in makers(model.flow, h)):
        for node in _put_into_containers(model):
            found += makers(model.flow, node)
    return frozenset(map(id, found))


def made_lists(model: Answers, node: cst.BaseExpression) -> list[cst.BaseExpression] | None:
    """What makes the lists that an expression may give, also as members of others; None where that
    is not known.
    """
    sources = makers(model.flow, node)
    found: list[cst.BaseExpression] = []
    for made in sources:
        members = _members(model, made) if isinstance(made, cst.Subscript) else [made]
        if members is None or any(_is_open(model, member) for member in members):
            return None
        found += members
    return found if sources else None


def _members(model: Answers, item: cst.Subscript) -> list[cst.BaseExpression] | None:
    """What makes the members, and theirs, of the container of which an expression gives one; None
    where a container is not written out.
    """
    start: list[cst.BaseExpression] = [item]
    holders = list(closure(start, partial(_holders, model)))
    containers = [holder for holder in holders if not isinstance(holder, cst.Subscript)]
    reached = list(closure(containers, partial(_listed, model)))
    is_deep = len(holders) - len(containers) > 1
    for each in reached if is_deep else containers:
        if not isinstance(each, (cst.Tuple, cst.List, cst.Dict)):
            return None
        if any(isinstance(e, (cst.StarredDictElement, cst.StarredElement)) for e in each.elements):
            return None
    return reached if containers else None


def _holders(model: Answers, made: cst.BaseExpression) -> list[cst.BaseExpression]:
    return makers(model.flow, made.value) if isinstance(made, cst.Subscript) else []


def _listed(model: Answers, made: cst.BaseExpression) -> list[cst.BaseExpression]:
    """What makes the containers that a display lists."""
    elements = made.elements if isinstance(made, (cst.Tuple, cst.List, cst.Dict)) else ()
    values = [element.value for element in elements]
    values = [value for value in values if model.value(value).kind in _CONTAINERS]
    return [source for value in values for source in makers(model.flow, value) or [value]]


def _is_open(model: Answers, made: cst.BaseExpression) -> bool:
    """Whether it is not seen what an expression gives: a parameter's name, a call of what is unknown."""
    func = made.func if isinstance(made, cst.Call) else made
    return isinstance(made, (cst.Call, cst.Name)) and not model.names.of(func)


def _put_into_containers(model: Answers) -> Iterator[cst.BaseExpression]:
    """The lists that other containers are given after they are made, or hold by a key."""
    lists = (
        node
        for node in (*model.everywhere(cst.Name), *model.everywhere(cst.Attribute))
        if model.value(node).kind is Kind.LIST
    )
    for node in lists:
        parent = model.parent(node)
        if isinstance(parent, (cst.DictElement, cst.StarredDictElement)):
            yield node
        elif isinstance(parent, cst.Arg):
            call = model.parent(parent)
            if isinstance(call, cst.Call) and _keeps(model, call):
                yield node
        elif isinstance(parent, cst.Assign) and parent.value is node:
            if any(isinstance(target.target, cst.Subscript) for target in parent.targets):
                yield node


def _keeps(model: Answers, call: cst.Call) -> bool:
    """Whether a call puts what it is given into a container."""
    if isinstance(call.func, cst.Attribute) and call.func.attr.value in _MUTATING:
        return True
    return model.value(call).kind in (Kind.DICT, Kind.LIST, Kind.ITERATOR)


def _may_change(model: Answers, call: cst.Call) -> bool:
    """Whether a call may change a list that it is handed: code that is not seen, of no library
    that is known to leave lists as they are."""
    if model.calls.at(call) or model.value(call).kind in _MADE:
        return False
    names = model.names.of(call.func)
    if names:
        return not all(_leaves_lists(name) for name in names)
    holder = model.value(call.func.value) if isinstance(call.func, cst.Attribute) else None
    return holder is None or holder.kind in (Kind.UNKNOWN, Kind.OBJECT, Kind.PYTHON_MODULE)


def _leaves_lists(name: str) -> bool:
    if name.rpartition(".")[2] in _MUTATING:
        return False
    is_known = api.is_tensorflow(name) or name.startswith(("builtins.", "numpy."))
    return is_known and Effect.DRAWS_IN_PYTHON not in behaviour.of(name).words
