"""TXL203."""

from __future__ import annotations

from collections.abc import Iterator

from tfxla_lint.edits import Rewrite
from tfxla_lint.evidence import of_nodes
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rewriting.options import relaxing
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.cost.at_stake import Retraced
from tfxla_lint.semantics.excerpt import excerpt
from tfxla_lint.semantics.measured import of_tracing
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.retracing.declarable import specs_of_calls
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Tracing

from ..shared.measured_causes import MeasuredCause, measured_causes
from ..shared.relax import relaxed, signed, signed_as_recorded
from ..shared.static_shapes import Reliance, reliance
from ..shared.turn_counts import in_traces
from .varying_arguments import (
    VaryingArgument,
    varying_arguments,
    varying_from_elsewhere,
)

_SIGNED = "Declare what the calls pass, of any size"


class VaryingShapeArgument(Rule):
    """## What it does
    Finds arguments of traced functions whose shape changes from turn to turn of a loop: slices
    whose end moves with the loop, tensors and lists that grow, episodes of as many steps as the
    environment took, batches that are padded to their own longest member, elements of a generator
    that declares a dimension as `None`, arrays whose size the loop decides.

    With `--profile` it finds, too, parameters whose shapes made a recorded run trace a function
    more than a handful of times.

    Functions with an `input_signature` or `reduce_retracing=True` are left alone, and so are calls
    that a few turns only make, and two shapes taking turns.

    ## Why is this bad?
    Without a signature, the shape of each tensor is part of the trace's key. Every new shape is
    traced again, which takes as long as running the function eagerly many times, and all the graphs
    are kept. With `reduce_retracing=True` the second shape makes a trace for any size of that
    dimension, so that there are two traces in all.

    The length of a list of tensors is part of the structure of the arguments, which no option
    relaxes: stack the tensors into one.

    Under `jit_compile=True` neither helps, since XLA compiles each shape: see `xla-recompile`.

    ## Example
    ```python
    import tensorflow as tf

    series = tf.random.stateless_normal([100], seed=[1, 2])


    @tf.function
    def spread(past):
        return tf.sqrt(tf.reduce_mean(tf.square(past - tf.reduce_mean(past))))


    for day in range(1, 101):
        spread(series[:day])
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    series = tf.random.stateless_normal([100], seed=[1, 2])


    @tf.function(reduce_retracing=True)
    def spread(past):
        return tf.sqrt(tf.reduce_mean(tf.square(past - tf.reduce_mean(past))))


    for day in range(1, 101):
        spread(series[:day])
    ```

    An `input_signature` with `None` for the dimension makes one trace, but casts what it is given.

    ## Fix safety
    The fix adds `reduce_retracing=True`; where layers, loops or other calls may need the size or the rank,
    and the calls show that all arguments are tensors of known rank and dtype, it is an `input_signature`,
    which keeps the rank known. Both are unsafe: a trace that serves all sizes knows none (and no rank, if
    a vector and a matrix are passed: `x.ndim` is -1 there), and raises other errors for shapes that do not
    fit. Where the function itself reads `x.shape`, `len(x)` or `tf.unstack`, or is compiled by XLA, and
    where the length of a list varies, there is no fix.
    With `--profile` the `input_signature` declares what the recorded run passed.

    ## References
    - [Better performance with tf.function: rules of tracing](https://www.tensorflow.org/guide/function#rules_of_tracing)
    - [`tf.function`: `reduce_retracing`](https://www.tensorflow.org/api_docs/python/tf/function)
    """

    code = "TXL203"
    name = "varying-shape-argument"
    summary = "The shape of an argument of a traced function changes from call to call"
    level = Level.WARNING
    fixes = (Applicability.UNSAFE,)
    quiet_in_tests = True
    needs = ("@tensorflow", "@imported|@keras-loops", "@tracing")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report the first such argument of each call."""
        told: set[int] = set()
        for varying in varying_arguments(model):
            told.add(id(varying.traced.unit))
            shape, tracing = varying.shape, varying.traced.tracing
            evidence = [
                Evidence(shape.node, "changes the shape"),
                Evidence(shape.loop, "the loop"),
                Evidence(tracing.node, "traced here"),
            ]
            rewrite = _rewrite(model, varying)
            message, at_stake = _message(model, varying, rewrite), _at_stake(varying)
            yield Report(varying.argument.value, message, evidence, rewrite, at_stake=at_stake)
        for unit, varying in varying_from_elsewhere(model):
            if id(unit) not in told:
                told.add(id(unit))
                yield from _from_elsewhere(model, varying)
        for cause in measured_causes(model, "shape", told):
            yield _measured(model, cause)


def _from_elsewhere(model: SemanticModel, varying: VaryingArgument) -> Iterator[Report]:
    """What another file passes, where the decorator that would mend it stands: with its fix."""
    rewrite = _rewrite(model, varying)
    parameter = varying.traced.parameter(varying.argument)
    if rewrite is not None and parameter is not None:
        evidence = [
            Evidence(varying.argument.value, "passed here"),
            Evidence(varying.shape.loop, "the loop"),
            Evidence(varying.traced.tracing.node, "traced here"),
        ]
        message, at_stake = _message(model, varying, rewrite), _at_stake(varying)
        yield Report(parameter.node.name, message, evidence, rewrite, at_stake=at_stake)


def _at_stake(varying: VaryingArgument) -> Retraced:
    count = varying.count.number if varying.count is not None else None
    return Retraced(varying.traced.unit, varying.traced.call, count)


def _measured(model: SemanticModel, found: MeasuredCause) -> Report:
    """What a recorded run shows and the code does not."""
    name = found.parameter.name
    message = (
        f"in the recorded run {found.was_traced}: `{name}` took "
        f"{found.argument.shape_count} shapes, and each is traced for itself"
    )
    evidence = of_nodes([call.func for call in found.calls], "called here")
    ranks = {shape.count(",") for shape in found.argument.shapes}
    tracing = found.unit.tracing
    rewrite = _relax(model, found.unit, tracing, None) if len(ranks) == 1 else None
    exact = signed_as_recorded(model, found.unit, tracing) if tracing and rewrite else None
    if exact is not None:
        rewrite = exact
        message += "; with an `input_signature` one trace takes all sizes"
    elif rewrite is not None:
        message += f"; `{relaxing(model)}` makes it two"
    at_stake = Retraced(found.unit, found.unit.node)
    return Report(found.parameter.node.name, message, evidence, rewrite, at_stake=at_stake)


def _message(model: SemanticModel, varying: VaryingArgument, rewrite: Rewrite | None) -> str:
    shape = varying.shape
    name = excerpt(model, varying.traced.call.func)
    argument = excerpt(model, varying.argument.value)
    what = "length" if shape.is_structure else "shape"
    message = f"`{name}` is traced again for every {what} of `{argument}`, which {shape.reason}"
    if shape.dimension is not None and not shape.is_structure:
        message += f" (dimension {shape.dimension})"
    message += in_traces(varying.count)
    message += of_tracing(model, varying.traced.unit)
    if shape.is_structure:
        return f"{message}; only stacking it into one tensor would let shapes be relaxed"
    if rewrite is None:
        return message
    if rewrite.title == _SIGNED:
        return f"{message}; with an `input_signature` one trace takes all sizes"
    return f"{message}; with `{relaxing(model)}` the second trace takes all sizes"


def _rewrite(model: SemanticModel, varying: VaryingArgument) -> Rewrite | None:
    traced, shape = varying.traced, varying.shape
    if shape.is_structure or traced.unit is None:
        return None
    rewrite = _relax(model, traced.unit, traced.tracing, shape.dimension)
    if rewrite is None or reliance(model, traced.unit, shape.dimension) is Reliance.NONE:
        return rewrite
    return _sign(model, varying, traced.unit) or rewrite


def _sign(model: SemanticModel, varying: VaryingArgument, unit: Unit) -> Rewrite | None:
    """A signature, where the calls show all shapes and dtypes: then the rank stays known."""
    parameter = varying.traced.parameter(varying.argument)
    specs = specs_of_calls(model, unit)
    parameters = unit.parameters[1:] if unit.is_method else unit.parameters
    if specs is None or parameter not in parameters or varying.shape.dimension is None:
        return None
    shape = specs[parameters.index(parameter)][0]
    rank = len(shape)
    if not -rank <= varying.shape.dimension < rank or shape[varying.shape.dimension] is not None:
        return None
    edit = signed(model, varying.traced.tracing, specs)
    if edit is None:
        return None
    return Rewrite(
        _SIGNED,
        [edit],
        Applicability.UNSAFE,
        assumption=f"assumes that nothing that `{unit.name}` does needs the size while tracing, and "
        "that no other code passes other shapes or dtypes",
        unit=unit.qualname,
    )


def _relax(
    model: SemanticModel, unit: Unit, tracing: Tracing | None, dimension: int | None
) -> Rewrite | None:
    if tracing is None or tracing.is_compiled or any(p.form == "*" for p in unit.parameters):
        return None
    relied = reliance(model, unit, dimension)
    if len(unit.parameters[unit.is_method :]) > 1:
        # Another argument may vary in another dimension.
        relied = max(relied, reliance(model, unit, None))
    edit = relaxed(model, tracing) if relied is not Reliance.READS else None
    if edit is None:
        return None
    name = unit.name
    return Rewrite(
        f"Let one trace of `{name}` take all sizes",
        [edit],
        Applicability.UNSAFE,
        assumption=f"assumes that nothing that `{name}` does needs the size, or the rank, while tracing",
        unit=unit.qualname,
    )
