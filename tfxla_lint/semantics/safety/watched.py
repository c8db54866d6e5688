"""Worlds that watch how they run, or set names and attributes in ways that no assignment tells of.

Of these nothing is proved: a profiler counts calls, a mock swaps what a name stands for.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.safety.passed_on import is_called
from tfxla_lint.semantics.safety.verdict import Safety

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_WATCHING = behaviour.names(Trait.WATCHES)
#: Ways to what objects, functions and frames keep, around all assignments.
_WAYS = behaviour.methods(Trait.WATCHES)
_LOOKS = behaviour.names(Trait.LOOKS)
#: Ways from a namespace to the objects that it holds, whatever their names.
_ALL = frozenset({"items", "values"})
_BY_NAME = behaviour.names(Trait.BY_NAME) | behaviour.names(Trait.LOOKS)


def watch(model: Answers) -> cst.CSTNode | None:
    """What, anywhere, may watch code run or set what it reads; None where nothing does."""
    nodes = (*model.everywhere(cst.Name), *model.everywhere(cst.Attribute))
    for node in nodes:
        names = model.names.of(node)
        if names and (_is_of(_WATCHING, names) or _is_handed_on(model, node, names)):
            return node
    for attribute in model.everywhere(cst.Attribute):
        if attribute.attr.value in _ALL and isinstance(attribute.value, cst.Call):
            if model.names.of(attribute.value.func) & _LOOKS and not attribute.value.args:
                return attribute
        if attribute.attr.value in _WAYS and not _is_making(model, attribute):
            return attribute
    for definition in model.everywhere(cst.FunctionDef):
        if definition.name.value in _WAYS:
            return definition.name
    for item in model.everywhere(cst.Subscript):
        if model.names.one(item.value) == "sys.modules":
            return item
    state = model.ask(Safety).state
    holders = [target.value for target in state.targets if isinstance(target, cst.Attribute)]
    holders += [call.args[0].value for call, _ in state.set_by_name]
    return next((h for h in holders if model.names.of(h) or _is_class_of(h)), None)


def _is_class_of(holder: cst.BaseExpression) -> bool:
    """Whether an attribute is set of the class of which something is: `x.__class__.rate = 1`."""
    return isinstance(holder, cst.Attribute) and holder.attr.value == "__class__"


def copying(model: Answers) -> cst.CSTNode | None:
    """What, anywhere, takes all that some object holds: to copy, keep or show it."""
    names = (*model.everywhere(cst.Name), *model.everywhere(cst.Attribute))
    ways = behaviour.methods(Trait.COPIES)
    for node in names:
        is_way = isinstance(node, cst.Attribute) and node.attr.value in ways
        if is_way or _is_of(behaviour.names(Trait.COPIES), model.names.of(node)):
            return node
    definitions = (d.name for d in model.everywhere(cst.FunctionDef) if d.name.value in ways)
    return next(definitions, None)


@lru_cache(maxsize=4096)
def _is_of(table: frozenset[str], names: frozenset[str]) -> bool:
    """Whether a name is of the table, or stands in a module of it."""
    for name in names:
        parts = name.split(".")
        if any(".".join(parts[:end]) in table for end in range(1, len(parts) + 1)):
            return True
    return False


def _is_handed_on(model: Answers, node: cst.BaseExpression, names: frozenset[str]) -> bool:
    """Whether what sets attributes by name is not called: `partial(setattr, x, "rate")`."""
    if names.isdisjoint(_BY_NAME):
        return False
    return not is_called(model, node)


def _is_making(model: Answers, node: cst.Attribute) -> bool:
    return model.ask(Safety).state.constructs(model.unit(node))
