"""Reads of variables that a graph with a Keras optimizer may put behind the update of the variable.

The optimizer passes all gradients through one operation. TensorFlow takes that for what keeps the
read of a variable before its update, drops the order that it had noted, and takes the operation apart:
where the gradient of a variable does not depend on a read of it, nothing orders the two any more, and
what comes of the read is now and then computed of the new value (seen in 2.21). Where a read goes into
the loss through something that bends, the gradient depends on it: of what a model gives, in each of its
parts (the last layers of two heads do not bend each other), and not by way of what has no gradient, as
an advantage that only weighs the loss of another model, or a choice.

The same holds of a variable that is set after the update, as a copy of a model is: its new value
waits for the optimizer, and not for what the loss read of the old one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect, Trait
from tfxla_lint.knowledge.dtypes import COMPLEX, FLOATS
from tfxla_lint.semantics.flow.closure import ends_well
from tfxla_lint.semantics.safety.composition import Composition, Expression, sides_of
from tfxla_lint.semantics.values import LAYERED, Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_BENT = behaviour.names(Trait.BENDS)
_PASSING = (Trait.LINEAR, Trait.MOVES, Trait.MIXES, Trait.ADDS, Trait.MULTIPLIES)
_STOPPING = behaviour.names(Trait.STOPS_GRADIENT)
#: What lets the gradient through.
_CARRYING = frozenset().union(*map(behaviour.names, _PASSING)) - (
    behaviour.names(Trait.VALUE_FREE) | _STOPPING
)
_EITHER = behaviour.names(Trait.EITHER)
_LABELLED = behaviour.places("labels")
_DIVIDING = behaviour.names(Trait.DIVIDES)
_UPDATING = behaviour.methods(Trait.UPDATES, "optimizer")
_SETTING = behaviour.methods(Effect.ASSIGNS, "variable")
_DIFFERENTIABLE = FLOATS | COMPLEX
_ARITHMETIC = (cst.Add, cst.Subtract, cst.Multiply, cst.MatrixMultiply, cst.AddAssign,
               cst.SubtractAssign, cst.MultiplyAssign, cst.MatrixMultiplyAssign)  # fmt: skip


#: A read of variables: the call of a model or the name of a variable, and where that is asked for.
_End = tuple[int, int]
#: The parts of what is computed that are taken, from the outside in.
_Parts = tuple[object, ...]
#: More are taken in no code but one that goes round.
_MOST_PARTS = 4


def lost_orders(
    model: Answers, code: Composition, nodes: Iterable[cst.CSTNode]
) -> Iterator[tuple[cst.CSTNode, str]]:
    """What may lose its order in code that an optimizer of Keras' trains in, with words for each."""
    calls = [node for node in nodes if isinstance(node, cst.Call)]
    of_optimizers = [call for call in calls if code.holder(call) is Kind.OPTIMIZER]
    steps = [call for call in of_optimizers if _calls_one_of(call, _UPDATING)]
    if not steps:
        return
    tapes = [call for call in calls if code.holder(call) is Kind.TAPE and call.args]
    for call in tapes:
        loss, block = call.args[0].value, _block(model, call)
        if block is None or not _is_bent(model, code, loss, block):
            words = f"`{model.code(loss)}` may be linear in a variable"
            yield loss, f"{words}, which a graph may change before it reads it"
    for step in steps:
        joined = _gradients(model, code, step)
        if joined is None or len(joined) != 1:
            words = "may apply what is no gradient of one loss"
            yield step, f"`{model.code(step.func)}` {words}, and a graph then orders less"
    for call in calls:
        if _sets_variable(code, call):
            words = f"`{model.code(call.func)}` sets what the loss may read"
            yield call, f"{words}, which a graph may do before"


def _sets_variable(code: Composition, call: cst.Call) -> bool:
    return _calls_one_of(call, _SETTING) and code.holder(call) in (Kind.VARIABLE, Kind.UNKNOWN)


def _calls_one_of(call: cst.Call, methods: frozenset[str]) -> bool:
    return isinstance(call.func, cst.Attribute) and call.func.attr.value in methods


def _gradients(model: Answers, code: Composition, step: cst.Call) -> set[int] | None:
    """The calls of tapes whose gradients an optimizer is given; None where variables are read, too,
    or it is not known what it is given."""
    found: set[int] = set()
    pending, seen = [argument.value for argument in step.args[:1]], set()
    while pending:
        node = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        sources = code.sources(node)
        if not sources:
            return None
        for source in sources:
            if isinstance(source, cst.Call) and code.holder(source) is Kind.TAPE:
                found.add(id(source))
            elif isinstance(source, cst.Call) and code.names(source) == {"builtins.zip"}:
                pending += [argument.value for argument in source.args[:1]]
            elif isinstance(source, (cst.ListComp, cst.GeneratorExp)):
                pending += [source.elt, source.for_in.iter]
            elif isinstance(source, (cst.List, cst.Tuple)):
                # Each gradient may stand beside its variable.
                given = (element.value for element in source.elements)
                pending += [part for part in given if model.value(part).kind is not Kind.VARIABLE]
            elif _end(model, code, node, source) is not None:
                return None
            else:
                pending += code.parts(source)
    return found


def _block(model: Answers, call: cst.Call) -> cst.With | None:
    """The block whose work the tape of a call has recorded, where one `with` alone opens it."""
    tape = call.func.value if isinstance(call.func, cst.Attribute) else call.func
    bindings = model.flow.reached(tape).bindings if isinstance(tape, cst.Name) else ()
    if len(bindings) != 1:
        return None
    around = model.ancestors(bindings[0].node)
    return next((each for each in around if isinstance(each, cst.With)), None)


def _is_recorded(model: Answers, code: Composition, node: cst.CSTNode, block: cst.With) -> bool:
    """Whether a tape sees all that a node computes: it stands in its block, or what runs it does."""

    def running(node: cst.CSTNode) -> Sequence[cst.CSTNode] | None:
        for ancestor in model.ancestors(node):
            if ancestor is block:
                return ()
            if isinstance(ancestor, cst.With) and any(
                model.value(item.item).kind is Kind.CONTEXT for item in ancestor.items
            ):
                return None
            if isinstance(ancestor, (cst.FunctionDef, cst.Lambda)):
                break
        return [*code.calls_of(model.unit(node))] or None

    return ends_well(node, running)


def _is_bent(model: Answers, code: Composition, loss: cst.BaseExpression, block: cst.With) -> bool:
    """Whether each read of variables goes into a loss through something that bends, too."""
    ends: dict[bool, set[tuple[_End, _Parts]]] = {False: set(), True: set()}
    # None is the state of what has no gradient.
    pending: list[tuple[cst.BaseExpression, bool | None, _Parts]] = [(loss, False, ())]
    seen = set()
    while pending:
        node, is_bent, parts = pending.pop()
        if (id(node), is_bent, parts) in seen:
            continue
        seen.add((id(node), is_bent, parts))
        sources = code.sources(node)
        if len(parts) > _MOST_PARTS or (not sources and not is_bent):
            return False
        for source in sources:
            path = code.path(node, source)
            has_gradient = is_bent is not None and _is_recorded(model, code, source, block)
            taken = (*parts, (id(source), path)) if path else parts
            end = _end(model, code, node, source)
            if end is not None:
                ends[is_bent is True].add((end, taken))
                is_one = _runs_once(model, code, source) and _runs_once(model, code, node)
                is_model = isinstance(source, cst.Call)
                if (not is_bent and not is_one) or (is_model and model.ask(_stops_in_models)):
                    return False
            elif not is_bent and _is_unknown(code, source):
                return False
            taken = (*taken, id(source)) if isinstance(source, cst.Subscript) else taken
            for part, bends in _parts(model, code, source):
                state = (is_bent or bends) if has_gradient and bends is not None else None
                pending.append((part, state, taken))
    whole = {end for end, taken in ends[True] if not taken}
    return all(each in ends[True] or each[0] in whole for each in ends[False])


def _end(
    model: Answers, code: Composition, node: cst.BaseExpression, source: Expression
) -> _End | None:
    if isinstance(source, cst.AugAssign):
        return None
    if model.value(source).kind is Kind.VARIABLE:
        return id(source), id(node)
    if isinstance(source, cst.Call) and code.holder(source) in LAYERED and not code.names(source):
        return id(source), 0
    return None


def _runs_once(
    model: Answers, code: Composition, node: cst.CSTNode, seen: frozenset[int] = frozenset()
) -> bool:
    """Whether one run of the code comes to a node once at most."""
    unit = model.unit(node)
    if code.repeats(node) or id(unit) in seen:
        return False
    calls = code.calls_of(unit)
    return len(calls) < 2 and all(
        _runs_once(model, code, call, seen | {id(unit)}) for call in calls
    )


def _stops_in_models(model: Answers) -> bool:
    """Whether a model of Keras' layers may have parts through which no gradient goes, of which
    another one that shares them has one."""
    calls = model.everywhere(cst.Call)
    return any(
        model.value(call).kind is Kind.KERAS_TENSOR
        for call in calls
        if model.names.of(call.func) & _STOPPING
    )


def _is_unknown(code: Composition, source: Expression) -> bool:
    """Whether a call is of something other than functions of which the table tells, or losses."""
    return (
        isinstance(source, cst.Call)
        and not code.names(source)
        and code.holder(source) is not Kind.LOSS
    )


def _parts(
    model: Answers, code: Composition, source: Expression
) -> Iterator[tuple[cst.BaseExpression, bool | None]]:
    """What another expression is computed of, and whether it bends that; None where no gradient goes
    through, as far as is known."""
    if isinstance(source, (cst.BinaryOperation, cst.AugAssign)):
        left, right = sides_of(source)
        is_power = isinstance(source.operator, (cst.Power, cst.PowerAssign))
        if isinstance(source.operator, (cst.Divide, cst.DivideAssign)):
            yield from ((left, False), (right, True))
        elif is_power or isinstance(source.operator, _ARITHMETIC):
            is_bent = is_power and model.value(right).constant != 1
            yield from ((left, is_bent), (right, is_bent))
        else:
            yield from ((left, None), (right, None))
    elif isinstance(source, cst.Comparison):
        yield source.left, None
        yield from ((each.comparator, None) for each in source.comparisons)
    elif isinstance(source, cst.UnaryOperation):
        yield source.expression, False if isinstance(source.operator, cst.Minus) else None
    elif isinstance(source, cst.Subscript):
        yield source.value, False
        yield from ((part, None) for part in _indices(source))
    elif isinstance(source, cst.Call):
        yield from _arguments(model, code, source)
    else:
        yield from ((part, False) for part in code.parts(source))


def _indices(source: cst.Subscript) -> Iterator[cst.BaseExpression]:
    for element in source.slice:
        part = element.slice
        if isinstance(part, cst.Slice):
            yield from (end for end in (part.lower, part.upper, part.step) if end is not None)
        else:
            yield cst.ensure_type(part, cst.Index).value


def _arguments(
    model: Answers, code: Composition, call: cst.Call
) -> Iterator[tuple[cst.BaseExpression, bool | None]]:
    names, given = code.names(call), code.tensors(call)
    is_bent: bool | None = None
    if names and names <= _BENT:
        is_bent = True
    elif (names and names <= _CARRYING) or (not names and code.holder(call) in LAYERED):
        dtype = model.value(call).dtype
        is_bent = False if dtype is None or dtype in _DIFFERENTIABLE else None
    elif not names and code.holder(call) is Kind.LOSS:
        is_bent = True
    for place, argument in enumerate(given):
        bends = is_bent
        if names & _DIVIDING and len(given) > 1:
            bends = place > 0
        elif (names & _EITHER and len(given) > 2 and place == 0) or _is_label(code, call, argument):
            bends = None
        yield argument.value, bends


def _is_label(code: Composition, call: cst.Call, argument: cst.Arg) -> bool:
    """Whether a loss takes an argument for what should be, in which it may be linear."""
    name, position = "y_true", 0
    for each in code.names(call):
        if each not in _LABELLED:
            return False
        name, position = _LABELLED[each]
    if not code.names(call) and code.holder(call) is not Kind.LOSS:
        return False
    if argument.keyword is not None:
        return argument.keyword.value == name
    return call.args.index(argument) == position
