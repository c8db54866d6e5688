"""New names that nothing in a module uses."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.semantics.model import SemanticModel


def free_name(model: SemanticModel, base: str) -> str:
    """`base`, or `base_2` and so on where a scope of the module binds or reads it."""
    scopes = (model.binder.module_scope, *model.binder.inner_scopes.values())
    return unused(base, {name for s in scopes for name in (*s.bindings, *s.reads)})


def free_attribute(model: SemanticModel, base: str) -> str:
    """`base`, or `base_2` and so on where an attribute or method of the module is called so."""
    taken = {node.attr.value for node in model.nodes(cst.Attribute)}
    taken |= {name for info in model.units.classes for name in (*info.methods, *info.attributes)}
    return unused(base, taken)


def unused(base: str, taken: set[str]) -> str:
    """`base`, or `base_2` and so on, whatever is not taken."""
    name, number = base, 2
    while name in taken:
        name, number = f"{base}_{number}", number + 1
    return name
