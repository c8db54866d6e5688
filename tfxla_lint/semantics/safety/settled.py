"""Names and attributes that are bound for good, which alone code reads that is traced unasked.

A trace keeps what it has read in Python. What one statement binds that runs once cannot be another
thing later, whoever runs what code in between: there is nothing to follow.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence
from functools import cache
from keyword import iskeyword
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour, symbols
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.first_party import Member
from tfxla_lint.semantics.scopes import Binding, BindingKind, Scope
from tfxla_lint.semantics.syntax import block_statements, decorators_of, walk
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.flow.attributes import Write
    from tfxla_lint.semantics.units import Unit

#: What may bind a name for good.
_SETTLING = frozenset(
    {BindingKind.IMPORT, BindingKind.FUNCTION, BindingKind.CLASS, BindingKind.PARAMETER,
     BindingKind.ASSIGNMENT, BindingKind.WITH}
)  # fmt: skip
#: Decorators that let a method be one: reading it runs nothing.
_OF_METHODS = frozenset({"tensorflow.function"}).union(
    behaviour.names(Trait.STATIC_METHOD), behaviour.names(Trait.CLASS_METHOD)
)
#: What may run what stands in it more than once.
_TURNING = (cst.For, cst.While, cst.CompFor)


@cache
def known_of(kind: Kind) -> frozenset[str]:
    """The methods and attributes of a kind of object that are in a graph what they are eagerly."""
    return behaviour.methods(Trait.SAME, kind.name.lower(), "keras", "model")


def unsettled(
    model: Answers, nodes: Sequence[cst.CSTNode], local: set[str]
) -> Iterator[tuple[cst.CSTNode, str]]:
    """The reads in code, but for names `local` to it, of what may be bound anew."""
    for root in nodes:
        for node in walk(root):
            if isinstance(node, cst.Name) and node.value not in local:
                if not is_settled(model, node):
                    yield node, f"`{node.value}` is bound by more than one statement that runs once"
            elif isinstance(node, cst.Attribute):
                if not _is_settled_attribute(model, node):
                    yield node, f"`{model.code(node)}` may be set by more than `__init__`"


def is_written_out(node: cst.BaseExpression) -> bool:
    """Whether an expression is a constant."""
    if isinstance(node, cst.Name):
        return iskeyword(node.value)
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.expression, cst.BaseNumber)
    return isinstance(node, (cst.BaseNumber, cst.SimpleString))


def is_settled(model: Answers, read: cst.Name) -> bool:
    """Whether what a name stands for is bound for good."""
    scope = model.binder.scope(read)
    home = scope.home(read.value)
    if not scope.is_read(read):
        return True
    if home is None:
        return True
    if hasattr(builtins, read.value):
        return False  # Until it is bound, it is Python's own.
    bindings = home.bindings[read.value]
    return _is_bound_for_good(model, Member(home, read.value)) or (
        model.unit(read).scope is home and all(_is_passed(model, home, b, read) for b in bindings)
    )


def _is_bound_for_good(model: Answers, name: Member) -> bool:
    """Whether one statement of the scope that is a name's home binds it, and runs once for it."""
    bindings = name.scope.bindings.get(name.name, ())
    bindings = [b for b in bindings if b.kind is not BindingKind.ANNOTATION]
    if len(bindings) != 1 or bindings[0].kind not in _SETTLING:
        return False
    (binding,) = bindings
    if model.binder.scope(binding.node).function is not name.scope:
        return False
    for around in model.ancestors(binding.node):
        if around is name.scope.node:
            break
        if isinstance(around, _TURNING):
            return False
    target = model.names.target(binding) if binding.kind is BindingKind.IMPORT else None
    return not isinstance(target, Member) or _is_bound_for_good(model, target)


def _is_passed(model: Answers, home: Scope, binding: Binding, read: cst.CSTNode) -> bool:
    """Whether a statement that binds a name stands in one row with one that holds a read of it, in
    no block of its own, and before it."""
    around = model.ancestors(binding.node)
    line = next((a for a in around if isinstance(a, cst.SimpleStatementLine)), None)
    block = home.node if isinstance(home.node, cst.Module) else getattr(home.node, "body", None)
    if (
        not isinstance(block, (cst.Module, cst.IndentedBlock))
        or model.parent(line or block) is not block
    ):
        return False
    row = {id(each): place for place, each in enumerate(block_statements(block))}
    reading = next((row[id(a)] for a in model.ancestors(read) if id(a) in row), -1)
    return row.get(id(line), reading) < reading


def _is_settled_attribute(model: Answers, node: cst.Attribute) -> bool:
    member = model.names.member(node)
    if member is not None:
        return _is_bound_for_good(model, member)
    holder = model.value(node.value)
    info, name = holder.class_, node.attr.value
    if info is None or (holder.kind is Kind.OBJECT and (info.is_open or info.has_unknown_base)):
        return holder.kind is not Kind.OBJECT
    writes = list(model.flow.attributes.written(info, name))
    bound = [b for each in info.lineage() for b in each.scope.bindings.get(name, ())]
    if bound:
        is_method = all(model.names.one(d) in _OF_METHODS for d in decorators_of(bound[0].node))
        return len(bound) == 1 and not writes and is_method
    if not writes:
        return holder.kind is not Kind.OBJECT and name in known_of(holder.kind)
    is_inherited = any(symbols.find(f"{base}.{name}") for base in info.base_names)
    return len(writes) == 1 and not is_inherited and _makes(model, writes[0])


def _makes(model: Answers, write: Write) -> bool:
    """Whether an object sets its own attribute while it is made, once."""
    unit, holder = model.unit(write.target), write.target.value
    return (
        (unit.name == "__init__" or (unit.name == "build" and not model.ask(_are_built_at_will)))
        and is_own_object(unit, holder)
        and not any(isinstance(around, _TURNING) for around in model.ancestors(write.target))
    )


def is_own_object(unit: Unit, node: cst.BaseExpression) -> bool:
    """Whether an expression is the first parameter of a method, which nothing binds anew."""
    if not (unit.is_method and unit.parameters and isinstance(node, cst.Name)):
        return False
    name = unit.parameters[0].name
    return node.value == name and len(unit.scope.bindings.get(name, ())) == 1


def _are_built_at_will(model: Answers) -> bool:
    """Whether any code names a `build`, which Keras runs once by itself."""
    return any(node.attr.value == "build" for node in model.everywhere(cst.Attribute))
