"""Python lists that traced code fills where only the graph turns or decides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.guards import excludes_tracing
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.scopes import Binding, BindingKind
from tfxla_lint.semantics.units import Unit

from ..shared.branch_tests import LoopForm, is_tensor_test, loop_form
from ..shared.conversion import unconverted

_GROWING = behaviour.methods(Trait.GROWS, "list")


@dataclass(frozen=True, slots=True)
class FilledList:
    """A list, the `grown` call or statement that fills it, and the loop or `if` of the graph.

    `made` is the binding of the list, outside of `control`; `reads` are the reads of it that
    come after.
    """

    name: str
    grown: cst.Call | cst.AugAssign
    control: cst.For | cst.While | cst.If
    made: Binding
    reads: tuple[cst.Name, ...]


def filled_lists(model: SemanticModel, unit: Unit) -> Iterator[FilledList]:
    """The lists of a traced unit that end up with one member, or with tensors out of reach."""
    if unconverted(model, unit) is not None:
        return
    for node in unit.own(cst.Call, cst.AugAssign):
        name = _grown_name(node)
        if name is None or excludes_tracing(model, node):
            continue
        made = _made(model, unit, name)
        control = _control_between(model, node, made.node) if made is not None else None
        if made is None or control is None:
            continue
        reads = _reads_after(model, unit, name, control)
        if reads:
            yield FilledList(name.value, node, control, made, reads)


def _grown_name(node: cst.CSTNode) -> cst.Name | None:
    """The list that a node lets grow: `parts.append(x)`, `parts += [x]`."""
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        holder = node.func.value
        if node.func.attr.value in _GROWING and node.args and isinstance(holder, cst.Name):
            return holder
    if isinstance(node, cst.AugAssign) and isinstance(node.operator, cst.AddAssign):
        if isinstance(node.target, cst.Name) and isinstance(node.value, cst.List):
            return node.target
    return None


def _made(model: SemanticModel, unit: Unit, name: cst.Name) -> Binding | None:
    """The one place where the unit makes a list of this name."""
    if model.binder.scope(name).home(name.value) is not unit.scope:
        return None
    bindings = [b for b in unit.scope.bindings[name.value] if b.kind is not BindingKind.AUGMENTED]
    if len(bindings) != 1 or bindings[0].kind is not BindingKind.ASSIGNMENT:
        return None
    value = bindings[0].value
    is_list = isinstance(value, cst.List) or (
        isinstance(value, cst.Call) and model.names.one(value.func) == "builtins.list"
    )
    return bindings[0] if is_list else None


def _control_between(
    model: SemanticModel, node: cst.CSTNode, made: cst.CSTNode
) -> cst.For | cst.While | cst.If | None:
    """The outermost control flow of the graph around `node` that is not around `made` too.

    Control flow that Python, or nobody knows who, decides on around it makes it unsure.
    """
    outside = {id(a) for a in model.ancestors(made)}
    found: cst.For | cst.While | cst.If | None = None
    child = node
    for parent in model.ancestors(node):
        if id(parent) in outside:
            break
        if isinstance(parent, cst.Try):
            return None
        if isinstance(parent, (cst.For, cst.While)) and child is parent.body:
            form = loop_form(model, parent)
            if form is None:
                return None
            found = parent if form is LoopForm.GRAPH else found
        elif isinstance(parent, cst.If) and child is not parent.test:
            if not is_tensor_test(model, parent.test):
                return None
            found = parent
        child = parent
    return found


def _reads_after(
    model: SemanticModel, unit: Unit, name: cst.Name, control: cst.CSTNode
) -> tuple[cst.Name, ...]:
    """The reads of the list outside of the control flow that fills it, where one comes after."""
    if name.value not in model.flow.liveness(unit.scope).after(control):
        return ()
    return tuple(
        read
        for read in unit.scope.reads.get(name.value, ())
        if not any(parent is control for parent in model.ancestors(read))
        and _grown_name(model.parent(model.parent(read) or read) or read) is not read
    )
