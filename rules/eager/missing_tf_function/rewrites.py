"""How a function of tensor work gets traced: the decorator, or what is left where it cannot have one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from tfxla_lint.edits import Decorate, Rewrite
from tfxla_lint.rewriting.options import relaxing, with_option
from tfxla_lint.rewriting.proved import judged
from tfxla_lint.rewriting.signatures import with_signature
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.rewriting.wrap import wrap_below_tapes, wrap_one
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.retracing.declarable import signature_of_unit
from tfxla_lint.semantics.safety.blockers import Blocker, Reason
from tfxla_lint.semantics.safety.cells import comes_of_several_cells
from tfxla_lint.semantics.safety.conditions import UNIT_CONDITIONS, Condition, Gap
from tfxla_lint.semantics.safety.lifetimes import given_for_good
from tfxla_lint.semantics.safety.open_sizes import needs_sizes, shared_trace
from tfxla_lint.semantics.safety.proof import unit_gaps
from tfxla_lint.semantics.safety.remarks import changed_by_trace
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.steps import StepFunction
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import may_vary_in_shape
from tfxla_lint.semantics.varying.carried_sizes import takes_changing_size

from .results import converted_by_calls, with_edits
from .split import split
from .strategy_run import trace_the_run
from .tensor_arguments import passed_as_tensors
from .wrap_for_run import wrap_for_run
from .wrap_step import wrap_step


def decorated(
    model: SemanticModel, step: StepFunction, blockers: Sequence[Blocker]
) -> Rewrite | None:
    """The decorator, also where the calls have to make a number of what the function returns."""
    node = step.unit.node
    assert isinstance(node, cst.FunctionDef)
    plain = decorate(model, step.unit, node, _varies(model, step), blockers)
    return plain or _with_result_converted(model, step, blockers)


def otherwise(model: SemanticModel, step: StepFunction, blockers: list[Blocker]) -> Rewrite | None:
    """What traces a function, or parts of it, that cannot have the decorator."""
    return (
        wrap_step(model, step.unit, blockers, varies=_varies(model, step))
        or wrap_for_run(model, step.unit, blockers, varies=_varies(model, step))
        or split(model, step, blockers)
        or trace_the_run(model, step.unit, blockers)
        or _around_run(model, blockers)
        or _wrapped(model, step, blockers)
    )


def _around_run(model: SemanticModel, blockers: Sequence[Blocker]) -> Rewrite | None:
    """The decorator on the function that has a strategy run the step, where that can have it."""
    runs = [b.node for b in blockers if b.reason is Reason.STRATEGY]
    outer = model.unit(runs[0]) if len(runs) == len(blockers) == 1 else None
    if outer is None or not isinstance(outer.node, cst.FunctionDef) or outer.is_decorated:
        return None
    if not model.is_own(outer.node) or model.contexts.eager(outer) is None:
        return None
    if model.ask(Safety).unit_blockers(outer):
        return None
    return decorate(model, outer, outer.node, varies=False)


def _wrapped(
    model: SemanticModel, step: StepFunction, blockers: Sequence[Blocker]
) -> Rewrite | None:
    """What is left where nothing moves; a training step would still be eager with it."""
    if not step.work.is_training_step:
        return wrap_one(model, step.unit)
    return wrap_below_tapes(model, step.unit, None, blockers)


def _varies(model: SemanticModel, step: StepFunction) -> bool:
    return any(
        may_vary_in_shape(p.value) or takes_changing_size(model, step.unit, p)
        for p in step.unit.parameters
    )


def _with_result_converted(
    model: SemanticModel, step: StepFunction, blockers: Sequence[Blocker]
) -> Rewrite | None:
    """The decorator, where the calls can make a number of what the function returns."""
    edits = converted_by_calls(model, step.unit, blockers)
    node = step.unit.node
    assert isinstance(node, cst.FunctionDef)
    decorated = (
        decorate(model, step.unit, node, _varies(model, step)) if edits is not None else None
    )
    return with_edits(decorated, edits) if decorated is not None and edits is not None else None


def _is_of_cells(model: SemanticModel, unit: Unit) -> bool:
    """Whether the calls of a function pass what several cells of a notebook make."""
    edges = model.calls.untraced(unit)
    loops = (loop for edge in edges for loop in model.loops.around(edge.node, edge.caller))
    sources = (loop.iter for loop in loops if isinstance(loop, cst.For))
    return comes_of_several_cells(model, [*(edge.node for edge in edges), *sources])


def _made_anew(model: SemanticModel, unit: Unit) -> Iterator[Gap]:
    """The parameters that make a trace for each size of theirs, and get ever others."""
    for parameter in unit.parameters:
        if takes_changing_size(model, unit, parameter):
            words = f"each size of `{parameter.name}` is a trace"
            yield Gap(Condition.SIZES, unit.node, words)


def _empty(model: SemanticModel, unit: Unit) -> Iterator[Gap]:
    """The calls that pass nothing: of no rows Keras' losses ask in Python, and a declared size is open."""
    for edge in model.calls.untraced(unit):
        for parameter in unit.parameters:
            given = edge.argument(parameter.name)
            if given is not None and 0 in (model.value(given).shape or ()):
                words = f"`{model.code(given)}` is empty, and a trace for all sizes does not know"
                yield Gap(Condition.SHAPES, given, words)


def decorate(
    model: SemanticModel,
    unit: Unit,
    node: cst.FunctionDef,
    varies: bool,
    blockers: Sequence[Blocker] = (),
) -> Rewrite | None:
    """The decorator, where nothing is in its way but what the calls can mend."""
    spelled = tensorflow_name(model, "function", node)
    calls = passed_as_tensors(model, unit, blockers)
    if spelled is None or calls is None:
        return None
    specs = signature_of_unit(model, unit) if not _is_of_cells(model, unit) else None
    decorator = with_signature(model, spelled, specs, node) if specs is not None else None
    gaps = [*unit_gaps(model, unit), *(_empty(model, unit) if specs is not None else ())]
    asked = [*UNIT_CONDITIONS, Condition.SIZES]
    if decorator is None:
        relaxed = varies and not needs_sizes(model, unit.body)
        decorator = with_option(spelled, relaxing(model) if relaxed else None)
        gaps += [shared_trace(unit.node)] if relaxed else _made_anew(model, unit)
    what = "tensors" if specs is None else "tensors of these shapes and dtypes"
    what += "".join(f", always the same `{name}`" for name in given_for_good(model, unit))
    applicability, said = judged(
        model,
        gaps,
        asked,
        f"assumes that all callers pass {what}, and that outer Python state stays"
        + changed_by_trace(model, unit.body),
    )
    return Rewrite(
        title=f"Decorate `{unit.name}` with tf.function",
        edits=[
            Decorate(node, decorator),
            *calls,
        ],
        applicability=applicability,
        assumption=said,
        unit=unit.qualname,
    )
