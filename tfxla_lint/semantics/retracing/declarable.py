"""What a function that is to be traced can declare of its arguments, and whether that is of use.

A signature makes one trace of calls whose shapes differ. Where all calls bring one shape, a trace
without a signature is as good and takes more. A model that is built while tracing would keep the open
sizes of the signature for the sizes of its input.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.pipelines.partial_batches import partial_batch_calls
from tfxla_lint.semantics.retracing.overrides import is_known_to_others
from tfxla_lint.semantics.retracing.seen_signatures import Spec, spec_of, specs_of
from tfxla_lint.semantics.safety.open_sizes import needs_sizes
from tfxla_lint.semantics.safety.unbuilt import builds_inside
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import VARYING, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.loops import Loop


def signature_of_values(
    model: Answers, values: Sequence[Value], loops: Iterable[Loop]
) -> list[Spec] | None:
    """What calls that pass these values in these loops can declare, where their shapes differ."""
    specs = [spec for value in values if (spec := spec_of(value)) is not None]
    if not specs or len(specs) != len(values) or model.ask(_keeps_state_per_batch):
        return None
    return specs if _differ(model, specs, values, loops) else None


def signature_of_unit(model: Answers, unit: Unit) -> list[Spec] | None:
    """What a function can declare of its calls, where their shapes differ and it reads none."""
    specs = specs_of_calls(model, unit)
    if specs is None or needs_sizes(model, unit.body) or builds_inside(model, unit.body):
        return None
    parameters = unit.parameters[1:] if unit.is_method else unit.parameters
    edges = model.calls.untraced(unit)
    loops = [loop for edge in edges for loop in model.loops.around(edge.node, edge.caller)]
    if _differ(model, specs, [p.value for p in parameters], loops):
        return specs
    for parameter in parameters:
        given = [edge.argument(parameter.name) for edge in edges]
        shapes = {model.value(node).shape for node in given if node is not None}
        if None not in given and len({s for s in shapes if _is_fixed(s)}) > 1:
            return specs
    return None


def specs_of_calls(model: Answers, unit: Unit) -> list[Spec] | None:
    """The shapes and dtypes that all calls of a function bring, where all are known."""
    parameters = unit.parameters[1:] if unit.is_method else unit.parameters
    specs = specs_of(parameters)
    if not specs or is_known_to_others(model, unit) or model.ask(_keeps_state_per_batch):
        return None
    return None if any(use.unit is unit for use in model.uses) else specs


def _is_fixed(shape: tuple[object, ...] | None) -> bool:
    return shape is not None and all(type(size) is int for size in shape)


def _differ(
    model: Answers, specs: Sequence[Spec], values: Iterable[Value], loops: Iterable[Loop]
) -> bool:
    """Whether calls bring several shapes: sizes that change, or a last batch that is smaller."""
    if any(VARYING in (value.shape or ()) for value in values):
        return True
    return any(None in shape for shape, _ in specs) and any(
        isinstance(loop, cst.For) and next(partial_batch_calls(model, loop.iter), None) is not None
        for loop in loops
    )


def _keeps_state_per_batch(model: Answers) -> bool:
    """Whether a layer keeps a state for each row of a batch, so that it needs their number."""
    return any(
        argument.keyword is not None and argument.keyword.value == "stateful"
        for argument in model.everywhere(cst.Arg)
    )
