"""Gradient tapes: where they are opened, what is asked of them, and whether that uses them up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

from .expected import expects_failure, expects_none
from .tape_paths import asked_again

GRADIENTS = behaviour.methods(Trait.DIFFERENTIATES, "tape")
_NEUTRAL = frozenset({"watch", "watched_variables"})


@dataclass(slots=True)
class Uses:
    """What is done with a name that holds tapes, one after the other.

    `gradients` are the calls that ask them for gradients, each with the nodes that bind the tapes
    that it may find, `only` those that may find one tape alone, by what binds that, `watches` those
    that make one watch something, `again` the pairs of calls of which the second may find a tape used
    up, by what binds those that the first may have asked.
    """

    gradients: dict[int, tuple[cst.Call, frozenset[int]]] = field(default_factory=dict)
    only: dict[int, list[cst.Call]] = field(default_factory=dict)
    watches: list[cst.Call] = field(default_factory=list)
    again: dict[int, list[tuple[cst.Call, cst.Call]]] = field(default_factory=dict)

    def asking(self, tape: cst.Name) -> list[cst.Call]:
        """The calls that may ask the tape that is bound to this node, and to no other one."""
        return self.only.get(id(tape), [])


@dataclass(slots=True)
class Tape:
    """A non-persistent tape under a name: `with tf.GradientTape() as tape`.

    `uses` are those of all tapes of this name.
    """

    call: cst.Call
    statement: cst.With
    name: cst.Name
    unit: Unit
    uses: Uses


@dataclass(frozen=True, slots=True)
class Reuse:
    """A call that asks a tape which `first` used up; the two are one call where a loop repeats it."""

    first: cst.Call
    second: cst.Call


def simple_tapes(model: SemanticModel) -> Iterator[Tape]:
    """The non-persistent tapes of which every use is known: none is handed on, reset or re-entered."""
    known: dict[tuple[int, str], Uses | None] = {}
    for item in model.nodes(cst.WithItem):
        tape = _opened(model, item, known)
        if tape is not None:
            yield tape


def _opened(
    model: SemanticModel, item: cst.WithItem, known: dict[tuple[int, str], Uses | None]
) -> Tape | None:
    call, statement = item.item, model.parent(item)
    if not isinstance(call, cst.Call) or not isinstance(statement, cst.With):
        return None
    if model.names.one(call.func) != "tensorflow.GradientTape" or item.asname is None:
        return None
    name = item.asname.name
    if not isinstance(name, cst.Name) or _may_be_persistent(call):
        return None
    unit = model.unit(statement)
    home = model.binder.scope(name).home(name.value)
    if home is None or home is not unit.scope:
        return None
    key = id(home), name.value
    if key not in known:
        known[key] = _uses(model, unit, name.value)
    uses = known[key]
    return Tape(call, statement, name, unit, uses) if uses is not None else None


def _may_be_persistent(call: cst.Call) -> bool:
    for index, argument in enumerate(call.args):
        named = argument.keyword is not None and argument.keyword.value == "persistent"
        if argument.star or named or (index == 0 and argument.keyword is None):
            value = argument.value
            return not (isinstance(value, cst.Name) and value.value == "False")
    return False


def _uses(model: SemanticModel, unit: Unit, name: str) -> Uses | None:
    """Sort the reads of a name; None where one can do anything to what it holds."""
    uses = Uses()
    for node in model.flow.reads(unit.scope, name):
        if model.unit(node) is not unit:
            return None
        method = model.parent(node)
        call = model.parent(method) if method is not None else None
        if not isinstance(method, cst.Attribute) or not isinstance(call, cst.Call):
            return None
        if call.func is not method or method.attr.value not in GRADIENTS | _NEUTRAL:
            return None
        if method.attr.value in GRADIENTS:
            found = frozenset(id(b.node) for b in model.flow.reached(node).bindings)
            uses.gradients[id(call)] = call, found
            if len(found) == 1:
                uses.only.setdefault(next(iter(found)), []).append(call)
        elif method.attr.value == "watch":
            uses.watches.append(call)
    calls = [call for call, _ in uses.gradients.values()]
    for first, second in asked_again(model, unit.scope, name, calls) if calls else ():
        for bound in uses.gradients[id(first)][1]:
            uses.again.setdefault(bound, []).append((first, second))
    return uses


def reuses(model: SemanticModel, tape: Tape) -> list[Reuse]:
    """The calls that some path reaches after another call has used the tape up."""
    return [
        Reuse(first, second)
        for first, second in tape.uses.again.get(id(tape.name), ())
        if _goes_together(model, tape, first, second) and not expects_failure(model, second)
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
    if isinstance(meeting, (cst.Try, cst.TryStar)) and _is_handled(model, second, meeting):
        # What raised may have been the first call, which then has used nothing up.
        return False
    return not (_is_conditional(model, first, meeting) and _is_conditional(model, second, meeting))


def _is_handled(model: SemanticModel, node: cst.CSTNode, tried: cst.Try | cst.TryStar) -> bool:
    """Whether a node stands in a handler of a `try`."""
    handlers = {id(handler) for handler in tried.handlers}
    return any(id(ancestor) in handlers for ancestor in model.ancestors(node))


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
    """The constants by which a tape is asked to differentiate though it watches nothing.

    A call of which None is expected is left alone.
    """
    if tape.uses.watches:
        return
    for call in tape.uses.asking(tape.name):
        if expects_none(model, call):
            continue
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
    """Whether a name means the result of an op that ran before the tape was opened."""
    value = model.value(name)
    if value.kind is not Kind.TENSOR or value.mixed or (value.dtype or "float").startswith("int"):
        return False
    made = makers(model.flow, name)
    return bool(made) and all(
        isinstance(call, cst.Call)
        and model.names.one(call.func) in _MAKING
        and tape.statement not in model.ancestors(call)
        for call in made
    )


_MAKING = frozenset(
    "tensorflow." + name
    for name in ("constant", "convert_to_tensor", "ones", "zeros", "linspace", "fill",
                 "random.normal", "random.uniform", "random.truncated_normal")
)  # fmt: skip
