"""Passes attributes to a step as arguments, and through it to the methods that read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import libcst as cst

from tfxla_lint.edits import NodeEdit, Replace, Statement, is_statement
from tfxla_lint.rewriting.naming import unused
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.retracing.attribute_arguments import AttributeArgument
from tfxla_lint.semantics.scopes import Scope
from tfxla_lint.semantics.units import Unit

Left: TypeAlias = "cst.CSTNode | cst.RemovalSentinel | cst.FlattenSentinel[cst.CSTNode]"


def parameter_names(
    model: SemanticModel, unit: Unit, arguments: Sequence[AttributeArgument]
) -> dict[str, str]:
    """For each attribute the name under which the step and the methods get it."""
    taken = _names_in(model, unit)
    for argument in arguments:
        for method in argument.methods:
            taken |= _names_in(model, method)
    found: dict[str, str] = {}
    for argument in arguments:
        found[argument.name] = unused(argument.name.strip("_") or "value", taken)
        taken.add(found[argument.name])
    return found


def _names_in(model: SemanticModel, unit: Unit) -> set[str]:
    """The names that a unit and the functions in it bind or read."""
    names: set[str] = set()
    pending = [unit.scope]
    inner = model.ask(_inner_scopes)
    for scope in pending:
        names.update(scope.bindings, scope.reads)
        pending += inner.get(id(scope), ())
    return names


def _inner_scopes(model: Answers) -> dict[int, list[Scope]]:
    """The scopes that lie directly in each scope of the world."""
    found: dict[int, list[Scope]] = {}
    for binder in model.world.binders:
        for scope in binder.inner_scopes.values():
            if scope.parent is not None:
                found.setdefault(id(scope.parent), []).append(scope)
    return found


def passing(
    statements: Sequence[Statement],
    arguments: Sequence[AttributeArgument],
    names: dict[str, str],
    given: Mapping[int, str],
) -> list[Statement]:
    """The statements of a step, reading its parameters and handing them on to the methods.

    `given` are the names of the expressions that the call evaluates, by the ids of their nodes.
    """
    if not arguments and not given:
        return list(statements)
    swap = _Swap()
    swap.reads.update(given)
    for argument in arguments:
        name = names[argument.name]
        swap.reads.update({id(read): name for read in argument.reads})
        for call in argument.calls:
            swap.calls.setdefault(id(call), []).append(name)
    changed = (statement.visit(swap) for statement in statements)
    return [node for node in changed if isinstance(node, cst.CSTNode) and is_statement(node)]


def method_edits(arguments: Sequence[AttributeArgument], names: dict[str, str]) -> list[NodeEdit]:
    """The edits that let the methods take what they read."""
    edits: list[NodeEdit] = []
    added: dict[int, list[str]] = {}
    methods: dict[int, Unit] = {}
    for argument in arguments:
        name = names[argument.name]
        edits += [Replace(read, name) for read in argument.inner]
        for method in argument.methods:
            methods[id(method)] = method
            added.setdefault(id(method), []).append(name)
    for key, method in methods.items():
        receiver = method.parameters[0]
        edits.append(Replace(receiver.node, ", ".join([receiver.name, *added[key]])))
    return edits


class _Swap(cst.CSTTransformer):
    """Puts names in the place of reads, and adds arguments in front of calls."""

    def __init__(self) -> None:
        super().__init__()
        self.reads: dict[int, str] = {}
        self.calls: dict[int, list[str]] = {}

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> Left:  # type: ignore[override]
        name = self.reads.get(id(original_node))
        if name is not None:
            return cst.Name(name)
        return super().on_leave(original_node, updated_node)

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.RemovalSentinel:
        pairs = list(zip(original_node.body, updated_node.body, strict=True))
        rest = [
            new
            for old, new in pairs
            if id(getattr(old, "value", None)) not in self.reads or not _binds_itself(new)
        ]
        if len(rest) == len(pairs):
            return updated_node
        return updated_node.with_changes(body=rest) if rest else cst.RemoveFromParent()

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        added = [cst.Arg(cst.Name(name)) for name in self.calls.get(id(original_node), ())]
        return updated_node.with_changes(args=[*added, *updated_node.args])


def _binds_itself(small: cst.BaseSmallStatement) -> bool:
    """`x = x`: what is left of a line whose value the call makes and passes as `x`."""
    if not isinstance(small, cst.Assign) or len(small.targets) != 1:
        return False
    target = small.targets[0].target
    pair = (target, small.value)
    names = [node.value for node in pair if isinstance(node, cst.Name)]
    return len(names) == 2 and names[0] == names[1]
