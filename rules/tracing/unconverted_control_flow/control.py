"""Control flow on tensors that AutoGraph does not convert, in code that is proved to be traced."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.semantics.effects.effect import EffectKind
from tfxla_lint.semantics.effects.excuses import is_excused
from tfxla_lint.semantics.effects.raw import WITHOUT_AUTOGRAPH
from tfxla_lint.semantics.guards import caught
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.tracing.symbolic import is_symbolic
from tfxla_lint.semantics.units import Unit

from ..shared.branch_tests import is_tensor_test, only_tensor_tests, tensor_test
from ..shared.conversion import Unconverted, unconverted
from ..shared.single_tensor import is_one_tensor
from .errors import blind_handlers
from .iterating import ITERATING, iterated_tensors
from .jumps import turning_conditions, unsupported_jumps
from .recursion import endless_calls


@dataclass(frozen=True, slots=True)
class Control:
    """Control flow that fails or goes wrong in a trace.

    `kind` is one of "unconverted", "switch", "iterating", "jump", "condition", "recursion",
    "raise", "number" and "handler"; `what` says what is wrong with `node`, `proofs` are further
    nodes with a remark on each.
    """

    node: cst.CSTNode
    kind: str
    what: str
    proofs: tuple[tuple[cst.CSTNode, str], ...] = ()
    tensor: cst.BaseExpression | None = None


_CONTROL = (cst.Raise, cst.If, cst.While, cst.IfExp, cst.BooleanOperation)


def unconverted_control(model: SemanticModel, unit: Unit) -> Iterator[Control]:
    """What a traced unit's own code does with tensors and AutoGraph does not convert."""
    raw = _of_raw_code(model, unit)
    if raw is not None:
        yield raw
    for found in _all_of(model, unit, is_raw=raw is not None):
        if not _is_excused(model, found.node, found.kind):
            yield found


def _is_excused(model: SemanticModel, node: cst.CSTNode, kind: str) -> bool:
    """What raises or catches itself is not answered by what catches around it."""
    effect = {"raise": EffectKind.RAISE, "handler": EffectKind.CATCH}.get(kind, EffectKind.PYTHON)
    return is_excused(model, effect, node)


def _all_of(model: SemanticModel, unit: Unit, *, is_raw: bool) -> Iterator[Control]:
    for node in unit.own(*ITERATING, *_CONTROL):
        for site, words, tensor in iterated_tensors(model, node):
            yield Control(site, "iterating", words, (), tensor)
        if is_raw:
            continue
        if isinstance(node, cst.Raise):
            yield from _raise(model, node)
        elif isinstance(node, (cst.If, cst.While, cst.IfExp)):
            yield from _number(model, node.test)
        elif isinstance(node, cst.BooleanOperation) and not _in_test(model, node):
            yield from _number(model, node)
    if not is_raw:
        for jump in unsupported_jumps(model, unit):
            proof = (jump.cause, jump.remark)
            yield Control(jump.node, "jump", jump.what, (proof,))
        for turning in turning_conditions(model, unit):
            what = f"`{turning.name}` makes a tensor of a condition that begins as Python's"
            yield Control(turning.loop.test, "condition", what, ((turning.change, "a tensor"),))
        for call, test in endless_calls(model, unit):
            what = f"`{unit.name}` calls itself without end while tracing: both sides are traced"
            yield Control(call, "recursion", what, ((test, "meant to end it, and has no value"),))
    for handler in blind_handlers(model, unit):
        proof = (handler.call, "fails when the graph runs, long after the `try`")
        yield Control(handler.node, "handler", handler.what, (proof,))


def left_unconverted(model: SemanticModel, unit: Unit, call: Unit) -> Control | None:
    """What a function does with tensors that only the `call` of a layer runs, which Keras 3 runs as it
    is wherever it traces it."""
    assert isinstance(call.node, cst.FunctionDef)
    return _driven_in(model, unit, Unconverted(call.node.name, WITHOUT_AUTOGRAPH))


# Code that is not converted


def _of_raw_code(model: SemanticModel, unit: Unit) -> Control | None:
    cause = unconverted(model, unit)
    return _driven_in(model, unit, cause) if cause is not None else None


def _driven_in(model: SemanticModel, unit: Unit, cause: Unconverted) -> Control | None:
    driven = [n for n in unit.nodes(into_scopes=False) if _is_driven(model, n)]
    driven = [n for n in driven if not _is_excused(model, n, "unconverted")]
    if not driven:
        return None
    kind = "switch" if cause.is_switch else "unconverted"
    what = f"{_name(driven[0])} on a tensor is not converted: {cause.why}"
    more = tuple((node, "nor is this") for node in driven[1:4])
    remark = "keeps AutoGraph from converting the code"
    return Control(_head(driven[0]), kind, what, ((cause.node, remark), *more))


def _is_driven(model: SemanticModel, node: cst.CSTNode) -> bool:
    """Whether a statement or expression fails on a tensor unless it is converted."""
    if isinstance(node, (cst.If, cst.While, cst.IfExp)):
        return is_tensor_test(model, node.test)
    if isinstance(node, cst.For):
        return is_one_tensor(model, node.iter) or _counts_to_tensor(model, node.iter)
    if isinstance(node, cst.UnaryOperation):
        is_not = isinstance(node.operator, cst.Not)
        return is_not and is_tensor_test(model, node.expression) and not _in_test(model, node)
    if isinstance(node, cst.BooleanOperation):
        return is_tensor_test(model, node.left) and not _in_test(model, node)
    return False


def _counts_to_tensor(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether a `range` gets a tensor for a number."""
    if not isinstance(node, cst.Call) or model.names.one(node.func) != "builtins.range":
        return False
    return any(is_symbolic(model, argument.value) for argument in node.args)


def _in_test(model: SemanticModel, node: cst.CSTNode) -> bool:
    """Whether an operation is part of a larger one, or the test of a statement, that counts."""
    parent = model.parent(node)
    if isinstance(parent, (cst.BooleanOperation, cst.UnaryOperation)):
        return True
    return isinstance(parent, (cst.If, cst.While, cst.IfExp)) and parent.test is node


def _name(node: cst.CSTNode) -> str:
    if isinstance(node, cst.IfExp):
        return "`... if ... else ...`"
    if isinstance(node, cst.BooleanOperation):
        return "`and`" if isinstance(node.operator, cst.And) else "`or`"
    return (
        f"`{type(node).__name__.lower()}`" if not isinstance(node, cst.UnaryOperation) else "`not`"
    )


def _head(node: cst.CSTNode) -> cst.CSTNode:
    return node.test if isinstance(node, (cst.If, cst.While)) else node


# `raise` below a tensor test, and tests that are no booleans


def _raise(model: SemanticModel, node: cst.Raise) -> Iterator[Control]:
    tests = only_tensor_tests(model, node)
    if tests and not caught(model, node, frozenset()):
        what = "`raise` below a test on a tensor is raised while tracing, whatever the tensor holds"
        yield Control(node, "raise", what, ((tests[0], "the test has no value then"),))


def _number(model: SemanticModel, test: cst.BaseExpression) -> Iterator[Control]:
    """`if n:` and `n or 1` for a number: AutoGraph wants a boolean tensor."""
    asked = tensor_test(model, test)
    if asked is None or isinstance(asked, cst.Comparison):
        return
    dtype = model.value(asked).dtype
    if dtype is None or dtype == "bool":
        return
    text = model.code(asked)
    what = f"`{text}` is of {dtype}, and AutoGraph takes only booleans as a condition"
    yield Control(asked, "number", what, (), asked)
