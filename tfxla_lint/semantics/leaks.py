"""Names of a module that other files get without naming them."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.scopes import Scope


def names_shared(model: SemanticModel) -> set[str]:
    """The names that a new one of the module may not be, as `from module import *` spreads it.

    Empty where no file of the project imports the module so, or where it has `__all__`.
    """
    home = model.binder.module_scope
    if "__all__" in home.bindings or not model.world.starring(home):
        return set()
    found: set[str] = set()
    for binder in model.world.binders:
        if binder is model.binder:
            continue
        scopes: list[Scope] = [binder.module_scope, *binder.inner_scopes.values()]
        for scope in scopes:
            found.update(scope.bindings, scope.reads)
            imported = (b.imported for bindings in scope.bindings.values() for b in bindings)
            found.update(name.rpartition(".")[2] for name in imported if name)
        found.update(node.attr.value for node in binder.nodes(cst.Attribute))
    return found
