"""Names of notebooks, which people bind again as they run cells again, in any order."""

from __future__ import annotations

import builtins
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.scopes import DEFINING, BindingKind, Scope, ScopeKind
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.values import KERAS_OBJECTS, Kind

#: What binds a name to the same whenever its cell is run, or to what its cell goes through.
_SAME = DEFINING | {BindingKind.IMPORT, BindingKind.FOR}

_REBUILDING = behaviour.methods(Trait.REBUILDS) - behaviour.methods(Trait.BUILDS)
_SET = KERAS_OBJECTS | {Kind.SCHEDULE, Kind.UNKNOWN}

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers


def is_bound_by_cell(model: Answers, read: cst.Name) -> bool:
    """Whether a function reads a name that a cell may bind again: no function's or class's, whose
    cell binds the same. What a cell itself runs is traced anew with it.

    What no cell binds may come with a file that is run.
    """
    home = model.world.home(read)
    if home is None or not home.source.cell_lines or model.unit(read).is_module:
        return False
    scope = model.binder.scope(read).home(read.value)
    if scope is None:
        return not hasattr(builtins, read.value)
    is_defined = all(b.kind in DEFINING for b in scope.bindings[read.value])
    return scope.kind is ScopeKind.MODULE and not is_defined


def comes_of_several_cells(model: Answers, nodes: Iterable[cst.CSTNode]) -> bool:
    """Whether several cells bind a name that some code of a notebook reads, or one that a value of it
    comes of.

    People run the code again behind either of them, and then its shapes and dtypes may be others.
    """
    pending, seen = list(nodes), set[tuple[int, str]]()
    while pending:
        for read in walk(pending.pop()):
            if not isinstance(read, cst.Name):
                continue
            scope = model.binder.scope(read).home(read.value)
            if scope is None or scope.kind is not ScopeKind.MODULE:
                continue
            if (id(scope), read.value) in seen or not _starts_of_cells(model, scope):
                continue
            seen.add((id(scope), read.value))
            bindings = [b for b in scope.bindings[read.value] if b.kind not in _SAME]
            if len({_cell_of(model, scope, b.node) for b in bindings}) > 1:
                return True
            pending += [b.value for b in bindings if b.value is not None]
    return False


def changed_by_cells(model: Answers) -> Iterator[tuple[cst.CSTNode, str]]:
    """Where a cell of a notebook changes a Keras object that another cell, or a file, makes.

    What stands in a cell above may be run again behind it, and a trace would keep the old one.
    """
    for binder in model.world.binders:
        home = model.world.home(binder.module)
        if home is None or not home.source.cell_lines:
            continue
        called = [call.func for call in binder.nodes(cst.Call)]
        rebuilt = [
            f for f in called if isinstance(f, cst.Attribute) and f.attr.value in _REBUILDING
        ]
        for changed in (*(node.target for node in binder.nodes(cst.AssignTarget)), *rebuilt):
            if not isinstance(changed, cst.Attribute) or not model.unit(changed).is_module:
                continue
            if model.value(changed.value).kind in _SET and not _is_made_beside(model, changed):
                words = f"a cell changes `{model.code(changed)}`, and people run cells in any order"
                yield changed, words


def _is_made_beside(model: Answers, node: cst.Attribute) -> bool:
    """Whether the cell of a change makes the object as well that is changed, so that it is new then."""
    root: cst.BaseExpression = node
    while isinstance(root, (cst.Attribute, cst.Subscript, cst.Call)):
        root = root.func if isinstance(root, cst.Call) else root.value
    if not isinstance(root, cst.Name):
        return False
    scope = model.binder.scope(root).home(root.value)
    if scope is None:
        return False
    own = _cell_of(model, scope, node)
    bindings = [b for b in scope.bindings[root.value] if b.kind is BindingKind.ASSIGNMENT]
    return any(
        _cell_of(model, scope, binding.node) == own
        for binding in bindings
        if isinstance(binding.value, cst.Call)
        and model.value(binding.value.func).kind is not Kind.METHOD
    )


def _cell_of(model: Answers, scope: Scope, node: cst.CSTNode) -> int:
    """The number of the cell in which a node stands; 0 in what is no notebook."""
    starts = _starts_of_cells(model, scope)
    return bisect_right(starts, model.world.line(node)) if starts else 0


def _starts_of_cells(model: Answers, scope: Scope) -> list[int]:
    """The lines on which the cells of a scope's module begin; none in what is no notebook."""
    home = model.world.home(scope.node)
    return [first for first, _ in home.source.cell_lines] if home is not None else []
