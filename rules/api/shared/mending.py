"""Renames: safe in plain code alone, and those of what raises only where nothing may live on that."""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import libcst as cst

from tfxla_lint.edits import NodeEdit, Rewrite
from tfxla_lint.findings import Applicability, Intent
from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.rewriting.proved import said_at
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.api import is_tensorflow
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.caught import lets_out, ways_out
from tfxla_lint.semantics.safety.plain import Place, not_plain
from tfxla_lint.semantics.safety.verdict import Safety

_PARTIAL = "functools.partial"
#: What an old name raises: where it is asked for or called, and where it is imported.
_RAISED = (AttributeError, TypeError, ValueError)
_RAISED_BY_IMPORT = (ModuleNotFoundError,)
_Errors: TypeAlias = "tuple[type[Exception], ...]"
_DROPPING = behaviour.names(Trait.DROPS_ERRORS)
_DROPPING_METHODS = behaviour.methods(Trait.DROPS_ERRORS)
#: The methods that nothing but a call of the object or of its class runs.
_CALLED = frozenset({"__init__", "__call__"})


def renaming(
    model: SemanticModel, node: cst.CSTNode, title: str, edits: Sequence[NodeEdit]
) -> Rewrite:
    """The fix of an old name at `node` that means what the new one means; safe in plain code."""
    for gap in _unknown(model, node):
        assumption = f"that all that names it is in sight; {said_at(model, *gap)}"
        return Rewrite(title, edits, Applicability.UNSAFE, assumption=assumption)
    return Rewrite(title, edits, Applicability.SAFE)


def mending(
    model: SemanticModel, node: cst.CSTNode, title: str, edits: Sequence[NodeEdit]
) -> Rewrite:
    """The fix of what raises at `node`; unsafe where the program may live on that, and go on."""
    for gap in (*_unknown(model, node), *_surviving(model, node)):
        assumption = f"what goes on after the error is not wanted; {said_at(model, *gap)}"
        return Rewrite(title, edits, Applicability.UNSAFE, Intent.CORRECTING, assumption)
    return Rewrite(title, edits, Applicability.SAFE, Intent.CORRECTING)


def own_names(model: SemanticModel) -> frozenset[str]:
    """The names that the world gives to members: in the bodies of classes, and by setting attributes."""
    return model.ask(_own_names)


def _own_names(model: Answers) -> frozenset[str]:
    targets = model.ask(Safety).state.targets
    found = {t.attr.value for t in targets if isinstance(t, cst.Attribute)}
    classes = (model.binder.scope(c.body) for c in model.everywhere(cst.ClassDef))
    return frozenset(found.union(*(scope.bindings for scope in classes)))


def _unknown(model: SemanticModel, node: cst.CSTNode) -> Iterator[Place]:
    """Why what is named may be something else than it seems, or its keywords not only be passed."""
    for place, words in model.ask(not_plain)[:1]:
        yield place, f"the code is plain: {words}"
    home = model.home
    if model.world.is_tested(home) or not model.world.is_whole:
        yield home.tree, "all that runs it is in sight: tests do, or files that cannot be read may"
    if not isinstance(node, cst.Call):
        return
    if model.names.of(node.func) == {_PARTIAL}:
        yield node, "it is called here"
    if isinstance(node.func, cst.Attribute) and model.unit(node).is_method:
        for definition in model.everywhere(cst.ClassDef):
            if len(definition.bases) > 1:
                yield (
                    definition,
                    f"it is not overridden: `{definition.name.value}` has several bases",
                )


def _surviving(model: SemanticModel, node: cst.CSTNode) -> Iterator[Place]:
    """What may go on after an error: anywhere, as not all that runs code is a call of it."""
    is_imported = isinstance(node, (cst.ImportAlias, cst.ImportFrom, cst.Import))
    for place, words in model.ask(_going_on, _RAISED_BY_IMPORT if is_imported else _RAISED)[:1]:
        yield place, f"nothing goes on: {words}"
    for unit, met in ways_out(model, node, set(), model.calls.callers):
        if met is unit.node and unit.name.startswith("__") and unit.name not in _CALLED:
            yield unit.node, f"nothing goes on: Python itself runs `{unit.name}`"


def _going_on(model: Answers, raised: _Errors) -> list[Place]:
    found: list[Place] = []
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
    if isinstance(kind, type) and name.startswith("builtins."):
        return not any(issubclass(error, kind) for error in raised)
    return is_tensorflow(name)
