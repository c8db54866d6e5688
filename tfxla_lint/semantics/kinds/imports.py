"""Imports of the abstract interpreter: members of first-party modules have those modules' kinds."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.semantics.first_party import Member
from tfxla_lint.semantics.kinds.attributes import of_outside_name
from tfxla_lint.semantics.kinds.evaluator import Environment, Evaluator
from tfxla_lint.semantics.names import canonical
from tfxla_lint.semantics.scopes import Binding
from tfxla_lint.semantics.syntax import imported_name
from tfxla_lint.semantics.values import UNKNOWN, Kind, Value


def run(
    evaluator: Evaluator, node: cst.Import | cst.ImportFrom, environment: Environment
) -> Environment:
    """Bind the names that an import statement binds."""
    if isinstance(node.names, cst.ImportStar):
        return environment
    scope = evaluator.binder.scope(node)
    for alias in node.names:
        name = imported_name(alias)
        binding = next((b for b in scope.lookup(name) if b.node is alias), None)
        if binding is not None:
            evaluator.write(name, node, imported(evaluator, binding), environment)
    return environment


def imported(evaluator: Evaluator, binding: Binding) -> Value:
    """What an import binds."""
    target = evaluator.names.target(binding)
    if isinstance(target, Member):
        return evaluator.member(target)
    if target is not None:
        evaluator.run_module(target)
        return Value(Kind.PYTHON_MODULE)
    name = binding.imported
    return of_outside_name(canonical(name)) if name else UNKNOWN
