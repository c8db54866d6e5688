"""Renames: safe in plain code alone, and those of what raises only where nothing may live on that."""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TypeAlias

import libcst as cst

from tfxla_lint.edits import NodeEdit, Rewrite
from tfxla_lint.findings import Applicability, Intent
from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.rewriting.proved import said_at
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.api import is_tensorflow
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.caught import lets_out, ways_out
from tfxla_lint.semantics.safety.elsewhere import watched_units
from tfxla_lint.semantics.safety.plain import Place, not_plain
from tfxla_lint.semantics.safety.settled import is_settled
from tfxla_lint.semantics.values import Kind

_PARTIAL = "functools.partial"
#: What an old name raises: where it is asked for or called, and where it is imported.
_RAISED = (AttributeError, TypeError, ValueError)
_RAISED_BY_IMPORT = (ModuleNotFoundError,)
_Errors: TypeAlias = "tuple[type[Exception], ...]"
#: What a call names that names nothing of TensorFlow itself: a class that derives, a method.
_MADE_HERE = frozenset({Kind.CLASS, Kind.METHOD})
_DROPPING = behaviour.names(Trait.DROPS_ERRORS)
_DROPPING_METHODS = behaviour.methods(Trait.DROPS_ERRORS)
_LISTENING = behaviour.names(Trait.TAKES_LOGS)
_LISTENING_METHODS = behaviour.methods(Trait.TAKES_LOGS)
_LOGGER = "logging.getLogger"
#: What `logging.basicConfig` is told of where logs go; else they are shown to people.
_TARGETS = frozenset({"filename", "handlers", "stream"})


def renaming(
    model: SemanticModel, node: cst.CSTNode, title: str, edits: Sequence[NodeEdit]
) -> Rewrite:
    """The fix of an old name at `node` that means what the new one means; safe in plain code."""
    for gap in chain(_unknown(model, node), model.ask(_listening)):
        assumption = f"assumes that all that names it is in sight; {said_at(model, *gap)}"
        return Rewrite(title, edits, Applicability.UNSAFE, assumption=assumption)
    return Rewrite(title, edits, Applicability.SAFE)


def mending(
    model: SemanticModel, node: cst.CSTNode, title: str, edits: Sequence[NodeEdit]
) -> Rewrite:
    """The fix of what raises at `node`; unsafe where the program may live on that, and go on."""
    for gap in chain(_unknown(model, node), _surviving(model, node)):
        assumption = f"what goes on after the error is not wanted; {said_at(model, *gap)}"
        return Rewrite(title, edits, Applicability.UNSAFE, Intent.CORRECTING, assumption)
    return Rewrite(title, edits, Applicability.SAFE, Intent.CORRECTING)


def _unknown(model: SemanticModel, node: cst.CSTNode) -> Iterator[Place]:
    """Why what is named may be something else than it seems, or its keywords not only be passed."""
    unplain = model.ask(not_plain)
    if unplain is not None:
        yield unplain[0], f"the code is plain: {unplain[1]}"
    home = model.home
    if model.world.is_run_unseen(home) or not model.world.is_whole:
        words = "all that runs it is in sight: tests do, or what cannot be read or loads it by its name may"
        yield home.tree, words
    if isinstance(node, cst.Attribute) and not model.names.of(node):
        if not _is_made_by_tensorflow(model, node.value):
            holder = model.code(node.value)
            yield node, f"`{holder}` is bound once, to an object of TensorFlow's own"
    if not isinstance(node, cst.Call):
        return
    names = model.names.of(node.func)
    if names == {_PARTIAL} or not (names or model.value(node.func).kind in _MADE_HERE):
        yield node, "it is called as it is written here"
    if isinstance(node.func, cst.Attribute) and model.unit(node).is_method:
        for definition in model.everywhere(cst.ClassDef):
            if len(definition.bases) > 1:
                name = definition.name.value
                yield definition, f"it is not overridden: `{name}` has several bases"


def _listening(model: Answers) -> list[Place]:
    """What takes what TensorFlow logs: a warning of the old name, which ends with it."""
    found: list[Place] = []
    for call in model.everywhere(cst.Call):
        func = call.func
        if isinstance(func, cst.Attribute) and func.attr.value in _LISTENING_METHODS:
            takes = not _is_of_one_name(model, func.value)
        else:
            words = {a.keyword.value for a in call.args if a.keyword is not None}
            takes = bool(model.names.of(func) & _LISTENING and words & _TARGETS)
        if takes:
            found.append((call, f"`{model.code(func)}` takes no warning of TensorFlow's"))
    return found


def _is_of_one_name(model: Answers, node: cst.BaseExpression) -> bool:
    """Whether an expression is a logger of another name than TensorFlow's, and not that of all."""
    made = makers(model.flow, node)
    return bool(made) and all(
        isinstance(call, cst.Call)
        and model.names.of(call.func) == {_LOGGER}
        and len(call.args) == 1
        and _is_name_of_others(model, call.args[0].value)
        for call in made
    )


def _is_name_of_others(model: Answers, node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Name) and node.value == "__name__":
        return True
    name = model.value(node).constant
    return isinstance(name, str) and name.partition(".")[0] not in ("", "root", "tensorflow")


def _is_made_by_tensorflow(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether a name stands for good for an object that a constructor of TensorFlow's makes."""
    if not (isinstance(node, cst.Name) and is_settled(model, node)):
        return False
    made = makers(model.flow, node)
    return bool(made) and all(
        isinstance(call, cst.Call) and is_tensorflow(model.names.one(call.func) or "")
        for call in made
    )


def _surviving(model: SemanticModel, node: cst.CSTNode) -> Iterator[Place]:
    """What may go on after an error: handlers anywhere, what starts the program, and whoever runs a function
    that is no call of it."""
    if model.world.is_outlived(model.home):
        yield model.home.tree, "nothing goes on: another file may start it as a program"
    is_imported = isinstance(node, (cst.ImportAlias, cst.ImportFrom, cst.Import))
    for place, words in model.ask(_going_on, _RAISED_BY_IMPORT if is_imported else _RAISED)[:1]:
        yield place, f"nothing goes on: {words}"
    watched = model.ask(watched_units)
    for unit, met in ways_out(model, node, set(), model.calls.callers):
        if met is unit.node and not unit.is_module:
            # A library may run any method of an object that reaches it, and catch what that raises.
            is_run_unseen = id(unit) in watched or unit.class_ is not None
            is_called = isinstance(unit.node, cst.FunctionDef) and model.calls.callers(unit)
            if is_run_unseen or unit.unknown_decorators or not is_called:
                yield unit.node, f"nothing goes on: what runs `{unit.name}` is not seen"


def _going_on(model: Answers, raised: _Errors) -> list[Place]:
    found: list[Place] = [
        (module.tree, "a cell is tagged as one that may raise")
        for module in model.world.modules
        if module.source.goes_on
    ]
    found += [
        (module.tree, "an example in a docstring may raise")
        for module in model.world.modules
        if ">>> " in module.source.text and "Traceback (" in module.source.text
    ]
    attempts: list[cst.Try | cst.TryStar] = [*model.everywhere(cst.Try)]
    for attempt in (*attempts, *model.everywhere(cst.TryStar)):
        if attempt.finalbody is not None:
            found.append((attempt.finalbody, "code runs whatever was raised"))
        for handler in attempt.handlers:
            if handler.type is None or not _is_of_others(model, handler.type, raised):
                found.append((handler, "errors are caught"))
    for item in model.everywhere(cst.WithItem):
        if not lets_out(model, item.item):
            found.append((item, f"`{model.code(item.item)}` may catch errors"))
    for call in model.everywhere(cst.Call):
        func = call.func
        is_method = isinstance(func, cst.Attribute) and func.attr.value in _DROPPING_METHODS
        if is_method or model.names.of(func) & _DROPPING:
            found.append((call, f"`{model.code(func)}` drops errors"))
    return found


def _is_of_others(model: Answers, caught: cst.BaseExpression, raised: _Errors) -> bool:
    """Whether a handler takes only errors that no old name raises."""
    if isinstance(caught, cst.Tuple):
        return all(_is_of_others(model, element.value, raised) for element in caught.elements)
    name = model.names.one(caught) or ""
    kind = getattr(builtins, name.removeprefix("builtins."), None)
    if not isinstance(kind, type) or not name.startswith("builtins."):
        return False
    return not any(issubclass(error, kind) for error in raised)
