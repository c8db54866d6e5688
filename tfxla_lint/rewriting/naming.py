"""New names that nothing uses: none in the module, nor where its names or objects go."""

from __future__ import annotations

import keyword
from collections.abc import Collection

import libcst as cst

from tfxla_lint.semantics.instance_names import instance_names
from tfxla_lint.semantics.leaks import names_shared
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.units import ClassInfo


def free_name(model: SemanticModel, base: str) -> str:
    """`base`, or `base_2` and so on where a scope of the module binds or reads it."""
    return unused(base, taken_names(model))


def free_attribute(model: SemanticModel, base: str, info: ClassInfo | None) -> str:
    """`base`, or `base_2` and so on where instances of a class have one that is called so."""
    return unused(base, taken_attributes(model, info))


def taken_names(model: SemanticModel) -> frozenset[str]:
    """The names that no new variable or function of the module can have."""
    return model.once("taken names", lambda: frozenset(_taken_names(model)))


def _taken_names(model: SemanticModel) -> set[str]:
    scopes = (model.binder.module_scope, *model.binder.inner_scopes.values())
    return {n for s in scopes for n in (*s.bindings, *s.reads)} | names_shared(model)


def taken_attributes(model: SemanticModel, info: ClassInfo | None) -> frozenset[str]:
    """The names that no new attribute or method of a class can have."""
    if info is None:
        return frozenset(node.attr.value for node in model.nodes(cst.Attribute))
    question = f"taken attributes {id(info)}"
    return model.once(question, lambda: frozenset(instance_names(model, info)))


def unused(base: str, taken: Collection[str]) -> str:
    """`base`, or `base_2` and so on, whatever is not taken; `lambda_` for a word of the language."""
    base = f"{base}_" if keyword.iskeyword(base) else base
    name, number = base, 2
    while name in taken:
        name, number = f"{base}_{number}", number + 1
    return name
