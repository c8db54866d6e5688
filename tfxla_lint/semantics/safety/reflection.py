"""Lists that may be changed in place, by whatever name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect, Trait
from tfxla_lint.semantics.parts import gone_through
from tfxla_lint.semantics.safety.passed_on import is_called
from tfxla_lint.semantics.safety.state import changed_by
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

#: What makes a list of its own of what it is given.
_NEW = behaviour.names(Trait.TAKES_ALL)
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


def is_shared(model: Answers, read: cst.Name | cst.Attribute) -> bool:
    """Whether the list that a name or an attribute holds may be changed in place.

    Of a list of plain code that is read for good nothing is known but what is done with all that has its
    name, anywhere: it is indexed, gone through, computed with, or handed to what keeps no list.
    """
    name = read.attr.value if isinstance(read, cst.Attribute) else read.value
    if any(_is_renamed(alias, name) for alias in model.everywhere(cst.ImportAlias)):
        return True
    nodes: list[cst.Name | cst.Attribute] = [
        node for node in model.everywhere(cst.Attribute) if node.attr.value == name
    ]
    nodes += (node for node in model.everywhere(cst.Name) if node.value == name)
    return not all(leaves_list(model, node) for node in nodes)


def _is_renamed(alias: cst.ImportAlias, name: str) -> bool:
    return (
        alias.asname is not None and isinstance(alias.name, cst.Name) and alias.name.value == name
    )


def leaves_list(model: Answers, node: cst.Name | cst.Attribute) -> bool:
    """Whether the place where a list stands neither changes it nor gives it another name."""
    holder = model.parent(node)
    if (
        isinstance(holder, cst.Attribute)
        and isinstance(node, cst.Name)
        and holder.value is not node
    ):
        return True  # It is the name of an attribute, which is looked at itself.
    if isinstance(holder, cst.AssignTarget):
        made = model.parent(holder)
        return isinstance(made, cst.Assign) and _makes_list(model, made)
    if isinstance(holder, cst.Subscript):
        place = model.parent(holder)
        is_set = isinstance(place, (cst.AssignTarget, cst.AugAssign, cst.Del, cst.Element))
        return holder.value is not node or not (is_set or isinstance(place, (cst.For, cst.CompFor)))
    if isinstance(holder, (cst.For, cst.CompFor)):
        return holder.iter is node
    if isinstance(holder, cst.Arg):
        call = model.parent(holder)
        return holder.keyword is node or (isinstance(call, cst.Call) and _reads(model, call, node))
    return isinstance(holder, (cst.BinaryOperation, cst.ImportAlias, cst.Index))


def _makes_list(model: Answers, made: cst.Assign) -> bool:
    """Whether an assignment binds one name, to a list that nothing else holds."""
    value = made.value
    is_new = isinstance(value, (cst.List, cst.ListComp, cst.BinaryOperation))
    is_taken = isinstance(value, cst.Call) and model.names.one(value.func) in _NEW
    return len(made.targets) == 1 and (is_new or is_taken)


def _reads(model: Answers, call: cst.Call, node: cst.BaseExpression) -> bool:
    """Whether a call reads a list that it is handed, and neither keeps nor changes nor returns it."""
    name = model.names.one(call.func)
    if name is None:
        receiver = model.value(call.func).receiver
        return receiver is not None and receiver.kind in (Kind.TAPE, Kind.OPTIMIZER)
    if name in _NEW or name == "builtins.len":
        return len(call.args) == 1 and call.args[0].keyword is None
    if name == "builtins.print" or node in gone_through(name, call):
        return True
    return behaviour.holds(Trait.SAME, name) and model.value(call).kind is Kind.TENSOR
