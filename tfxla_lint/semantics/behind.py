"""What stands behind the names in an expression, in any file, whenever they are bound."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.first_party import Member
from tfxla_lint.semantics.scopes import Binding, BindingKind
from tfxla_lint.semantics.syntax import walk


def parts_behind(model: Answers, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The parts of an expression, and of what its names were bound to and its functions return, in
    any file of the project."""
    pending, seen = [node], {id(node)}
    for root in pending:
        for part in walk(root):
            yield part
            for binding in bound(model, part):
                if id(binding.node) not in seen:
                    seen.add(id(binding.node))
                    pending += made(binding)


def bound(model: Answers, part: cst.CSTNode) -> list[Binding]:
    """What binds a name, or a name of another file, at the place where it gets its value."""
    member: object = None
    found: list[Binding] = []
    if isinstance(part, cst.Attribute):
        member = model.names.member(part)
    elif isinstance(part, cst.Name):
        scope = model.binder.scope(part)
        found = list(scope.lookup(part.value))
        member = model.names.starred(part.value, scope) if not found else None
    if isinstance(member, Member):
        found = list(member.scope.exported(member.name))
    for binding in found:
        if binding.kind is BindingKind.IMPORT:
            target = model.names.target(binding)
            exported = target.scope.exported(target.name) if isinstance(target, Member) else ()
            found += [other for other in exported if other not in found]
    return found


def made(binding: Binding) -> list[cst.CSTNode]:
    """What a name is bound to, or what its function returns."""
    if isinstance(binding.node, cst.FunctionDef):
        returned = (p for p in walk(binding.node.body) if isinstance(p, cst.Return))
        return [part.value for part in returned if part.value is not None]
    return [binding.value] if binding.value is not None else []
