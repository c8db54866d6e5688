"""Gradient tapes: where they are opened, what is asked of them, and whether that uses them up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

from .tape_paths import Paths

GRADIENTS = behaviour.methods(Trait.DIFFERENTIATES, "tape")
_NEUTRAL = frozenset({"watch", "watched_variables"})


@dataclass(slots=True)
class Tape:
    """A non-persistent tape under a name of its own: `with tf.GradientTape() as tape`.

    `gradients` are the calls that ask any tape of this name for gradients, `watches` those that
    make it watch something.
    """

    call: cst.Call
    statement: cst.With
    name: cst.Name
    unit: Unit
    gradients: list[cst.Call] = field(default_factory=list)
    watches: list[cst.Call] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Reuse:
    """A call that asks a tape which `first` used up; the two are one call where a loop repeats it."""

    tape: Tape
    first: cst.Call
    second: cst.Call


def simple_tapes(model: SemanticModel) -> Iterator[Tape]:
    """The non-persistent tapes of which every use is known: none is handed on, reset or re-entered."""
    for item in model.nodes(cst.WithItem):
        tape = _opened(model, item)
        if tape is not None and _collect_uses(model, tape):
            yield tape


def _opened(model: SemanticModel, item: cst.WithItem) -> Tape | None:
    call, statement = item.item, model.parent(item)
    if not isinstance(call, cst.Call) or not isinstance(statement, cst.With):
        return None
    if model.names.one(call.func) != "tensorflow.GradientTape" or item.asname is None:
        return None
    name = item.asname.name
    if not isinstance(name, cst.Name) or _may_be_persistent(call):
        return None
    return Tape(call, statement, name, model.unit(statement))


def _may_be_persistent(call: cst.Call) -> bool:
    for index, argument in enumerate(call.args):
        named = argument.keyword is not None and argument.keyword.value == "persistent"
        if argument.star or named or (index == 0 and argument.keyword is None):
            value = argument.value
            return not (isinstance(value, cst.Name) and value.value == "False")
    return False


def _collect_uses(model: SemanticModel, tape: Tape) -> bool:
    """Sort the reads of the tape's name; False where one can do anything to it."""
    home = model.binder.scope(tape.name).home(tape.name.value)
    for node in model.nodes(cst.Name):
        if node.value != tape.name.value or model.binder.scope(node).home(node.value) is not home:
            continue
        if _is_binding(model, node):
            continue
        if model.unit(node) is not tape.unit:
            return False
        method = model.parent(node)
        call = model.parent(method) if method is not None else None
        if not isinstance(method, cst.Attribute) or not isinstance(call, cst.Call):
            return False
        if call.func is not method or method.attr.value not in GRADIENTS | _NEUTRAL:
            return False
        if method.attr.value in GRADIENTS:
            tape.gradients.append(call)
        elif method.attr.value == "watch":
            tape.watches.append(call)
    return True


def _is_binding(model: SemanticModel, node: cst.Name) -> bool:
    return isinstance(model.parent(node), (cst.AsName, cst.AssignTarget, cst.Del, cst.AnnAssign))


def reuses(model: SemanticModel, tape: Tape) -> list[Reuse]:
    """The calls that some path reaches after another call has used the tape up."""
    if not tape.gradients:
        return []
    paths = Paths(tape.statement, tape.name.value, {id(call) for call in tape.gradients})
    body = tape.unit.node.body
    if isinstance(body, cst.BaseExpression):
        return []
    paths.block(body.body if isinstance(body, cst.BaseSuite) else body, frozenset())
    return [
        Reuse(tape, first, second)
        for first, second in paths.pairs
        if _goes_together(model, tape, first, second)
    ]


def _goes_together(model: SemanticModel, tape: Tape, first: cst.Call, second: cst.Call) -> bool:
    """Whether one of the two runs whenever the other does: conditions could exclude each other."""
    if first is second:
        loop = repeating(model, tape, first)
        if isinstance(loop, (cst.For, cst.While)):
            turns = model.loops.info(loop).turns
            if turns is not None and turns < 2:
                return False
        return loop is not None and not _is_conditional(model, first, loop)
    shared = {id(node) for node in model.ancestors(first)}
    meeting = next((node for node in model.ancestors(second) if id(node) in shared), None)
    if meeting is None:
        return False
    return not (_is_conditional(model, first, meeting) and _is_conditional(model, second, meeting))


def repeating(model: SemanticModel, tape: Tape, call: cst.Call) -> cst.CSTNode | None:
    """The outermost loop or comprehension that repeats `call` on one and the same tape."""
    around = {id(node) for node in model.ancestors(tape.statement)}
    found: cst.CSTNode | None = None
    for node in model.ancestors(call):
        if id(node) in around:
            break
        if isinstance(node, (cst.For, cst.While, cst.BaseComp)):
            found = node
    return found


def _is_conditional(model: SemanticModel, node: cst.CSTNode, top: cst.CSTNode) -> bool:
    child, parent = node, model.parent(node)
    while parent is not None and child is not top:
        if isinstance(parent, (cst.If, cst.IfExp)) and child is not parent.test:
            return True
        if isinstance(parent, (cst.ExceptHandler, cst.MatchCase)):
            return True
        if isinstance(parent, cst.BooleanOperation) and child is parent.right:
            return True
        if isinstance(parent, cst.BaseComp) and parent.for_in.ifs and child is not parent.for_in:
            return True
        child, parent = parent, model.parent(parent)
    return False


def unwatched_sources(model: SemanticModel, tape: Tape) -> Iterator[tuple[cst.Call, cst.Name]]:
    """The constants by which a tape is asked to differentiate though it watches nothing."""
    if tape.watches:
        return
    for call in tape.gradients:
        sources = _argument(call, "sources", 1)
        if sources is None or _argument(call, "unconnected_gradients", 3) is not None:
            continue
        members = (
            [element.value for element in sources.elements]
            if isinstance(sources, (cst.List, cst.Tuple))
            else [sources]
        )
        for member in members:
            if isinstance(member, cst.Name) and _is_constant(model, tape, member):
                yield call, member


def _argument(call: cst.Call, name: str, position: int) -> cst.BaseExpression | None:
    for index, argument in enumerate(call.args):
        if argument.keyword is not None and argument.keyword.value == name:
            return argument.value
        if argument.keyword is None and index == position and not argument.star:
            return argument.value
    return None


def _is_constant(model: SemanticModel, tape: Tape, name: cst.Name) -> bool:
    """Whether a name is bound once, before the tape is opened, to the result of an op."""
    value = model.value(name)
    if value.kind is not Kind.TENSOR or value.mixed or (value.dtype or "float").startswith("int"):
        return False
    bindings = model.binder.scope(name).lookup(name.value)
    if len(bindings) != 1 or bindings[0].kind is not BindingKind.ASSIGNMENT:
        return False
    made = bindings[0].value
    if not isinstance(made, cst.Call) or model.names.one(made.func) not in _MAKING:
        return False
    return tape.statement not in model.ancestors(made)


_MAKING = frozenset(
    "tensorflow." + name
    for name in ("constant", "convert_to_tensor", "ones", "zeros", "linspace", "fill",
                 "random.normal", "random.uniform", "random.truncated_normal")
)  # fmt: skip
