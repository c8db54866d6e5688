"""Names of notebooks, which people bind again as they run cells again, in any order."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.scopes import DEFINING, ScopeKind

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
