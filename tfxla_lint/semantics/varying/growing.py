"""Lists and tensors that grow: on every turn of a loop, or for as long as an inner loop lasts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.flow.origins import THROUGH, Agree, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path, taken
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.scopes import Binding, BindingKind
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

#: Functions that join arrays, and where those that take an axis take it.
_JOINING = behaviour.names(Trait.JOINS)
_AXES = behaviour.places("axis")
#: What has as many rows as what it is given.
_KEEPING = behaviour.keeping_shape() | behaviour.names(Trait.KEEPS_LENGTH)


def growth(model: Answers, name: cst.Name, loop: Loop) -> cst.Call | None:
    """What makes a list or tensor longer on every turn, where nothing makes it shorter."""
    within = [b for b in model.flow.reached(name).bindings if loop in model.ancestors(b.node)]
    if model.value(name).kind is Kind.LIST:
        return _appended(name.value, loop) if not within else None
    made = within[0].value if len(within) == 1 else None
    sides = (made.body, made.orelse) if isinstance(made, cst.IfExp) else (made,)
    calls = (side for side in sides if isinstance(side, cst.Call))
    return next((call for call in calls if _adds_to(model, call, within[0])), None)


def grown_rows(model: Answers, node: cst.BaseExpression) -> Loop | None:
    """The loop each turn of which has added to the rows of a tensor."""

    def judge(made: cst.CSTNode, path: Path) -> Loop | Look | None:
        if isinstance(made, cst.Name):
            return _growing(model, made) or THROUGH
        if not isinstance(made, cst.Call) or not made.args:
            return THROUGH
        first, shape = made.args[0].value, model.value(made).shape
        if model.names.one(made.func) not in _KEEPING:
            return None
        if isinstance(first, cst.Name) and shape is not None and len(shape) == 1:
            return _growing(model, first, is_flat=True)
        return question.of(first)

    question: Origins[Loop] = Origins(model.flow, Through(agree=Agree.ANY), judge)
    return question.of(node)


def _growing(model: Answers, name: cst.Name, *, is_flat: bool = False) -> Loop | None:
    """The loop before a read of a tensor that adds to its rows, or to it at all."""
    behind = model.ancestors(name)
    for binding in model.flow.reached(name).bindings:
        around = (a for a in model.ancestors(binding.node) if isinstance(a, (cst.For, cst.While)))
        loop = next((each for each in around if each not in behind), None)
        grown = growth(model, name, loop) if loop is not None else None
        if grown is not None and (is_flat or joined_axis(model, grown) == 0):
            return loop
    return None


def joined_axis(model: Answers, made: cst.Call) -> int | None:
    """The axis along which `tf.concat` and its like join, where it is written out."""
    name = model.names.one(made.func) or ""
    given = argument(made, *_AXES[name]) if name in _AXES else None
    if given is None:
        return 0 if name in behaviour.names(Trait.BY_ROWS) else None
    axis = model.value(given).constant
    return axis if type(axis) is int else None


def _appended(name: str, loop: Loop) -> cst.Call | None:
    """The `append` of a list in the loop, where no other method of it is called there."""
    found: cst.Call | None = None
    for node in walk(loop.body, into_scopes=False):
        if isinstance(node, cst.Del):
            return None
        if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
            continue
        holder = node.func.value
        if isinstance(holder, cst.Name) and holder.value == name:
            if node.func.attr.value != "append" or found is not None:
                return None
            found = node
    return found


def _adds_to(model: Answers, made: cst.Call, binding: Binding) -> bool:
    """Whether an expression joins something to what it was last time: `tf.concat([x, new], 0)`."""
    if not made.args or model.names.one(made.func) not in _JOINING:
        return False
    first = made.args[0].value
    elements = (
        [element.value for element in first.elements]
        if isinstance(first, (cst.List, cst.Tuple))
        else [first, *(a.value for a in made.args[1:2])]
    )
    named = (e for e in elements if isinstance(e, cst.Name))
    return any(binding in model.flow.reached(name).bindings for name in named)


def gathered(model: Answers, name: cst.Name, loop: Loop) -> cst.Call | None:
    """The `append` that fills a list anew on each turn of `loop`, as often as data decide.

    An inner loop fills it, which goes on until a flag is set that a call gives it: an episode.
    """
    emptied = model.flow.reached(name).only
    around = model.ancestors(emptied.node) if emptied is not None else []
    if emptied is None or loop not in around or not _is_emptied(model, emptied):
        return None
    for inner in walk(loop.body, into_scopes=False):
        if not isinstance(inner, (cst.For, cst.While)) or inner in model.ancestors(name):
            continue
        if inner in around or not _ends_by_flag(model, inner):
            continue
        found = _appended(name.value, inner)
        if found is not None and _appended(name.value, loop) is found:
            return found
    return None


def _is_emptied(model: Answers, binding: Binding) -> bool:
    if binding.kind is not BindingKind.ASSIGNMENT:
        return False
    value = model.flow.given(binding)
    return isinstance(value, cst.List) and not value.elements


def _ends_by_flag(model: Answers, loop: Loop) -> bool:
    """Whether a flag that the turns set ends the loop: `while not done`, `if done: break`."""
    return any(_is_flag(model, flag, loop) for test in _ends(model, loop) for flag in _flags(test))


def _ends(model: Answers, loop: Loop) -> Iterator[cst.BaseExpression]:
    """The tests that decide whether a loop goes on."""
    if isinstance(loop, cst.While):
        yield loop.test
    for node in walk(loop.body, into_scopes=False):
        if not isinstance(node, cst.Break):
            continue
        around = model.ancestors(node)
        nearest = next((a for a in around if isinstance(a, (cst.For, cst.While, cst.If))), None)
        if (
            isinstance(nearest, cst.If)
            and next((a for a in around if isinstance(a, (cst.For, cst.While))), None) is loop
        ):
            yield nearest.test


def _flags(test: cst.BaseExpression) -> Iterator[cst.Name]:
    """The names whose truth alone decides a test."""
    if isinstance(test, cst.Name):
        yield test
    elif isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        yield from _flags(test.expression)
    elif isinstance(test, cst.BooleanOperation):
        yield from _flags(test.left)
        yield from _flags(test.right)


def _is_flag(model: Answers, name: cst.Name, loop: Loop) -> bool:
    """Whether each turn gets a name from a call: `state, reward, done, _ = env.step(action)`."""
    for binding in model.flow.reached(name).bindings:
        if loop not in model.ancestors(binding.node):
            continue
        source = taken(model.binder, binding)
        if source is not None and source.path and isinstance(source.node, cst.Call):
            return True
    return False
