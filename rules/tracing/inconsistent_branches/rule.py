"""TXL310 inconsistent-branches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from tfxla_lint.edits import NodeEdit, Rewrite
from tfxla_lint.evidence import of_route
from tfxla_lint.findings import Applicability, Intent, Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.contexts import Route
from tfxla_lint.semantics.effects.excuses import is_shown_to_fail
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.tracing.symbolic import running_traces
from tfxla_lint.semantics.units import Unit

from ..shared.conversion import unconverted
from .branches import disagreements
from .carried import Change, changes
from .while_loops import growing_variables


class InconsistentBranches(Rule):
    """## What it does
    Finds, in code that is proved to be traced, tests on tensors whose two sides differ in what they
    leave behind, and loops in the graph that change what they carry:

    - a name that one side assigns, that nothing assigns before, and that is read afterwards;
    - `return` on one side only (what follows the block of an `if` does not belong to it);
    - None, or a tuple of another length, on one side;
    - other dtypes, where both are known: a Python int beside a tensor of floats, too;
    - a total that begins as a Python int, to which a loop adds floats;
    - a tensor that `tf.concat` makes longer on each turn, also in a `tf.while_loop` that is given
      no `shape_invariants`;
    - a name that only a loop over a dataset assigns, and that is read after it.

    Names that nothing reads afterwards may differ, and are left alone; shapes may differ between
    branches; loops that give `shape_invariants` are believed.

    ## Why is this bad?
    The graph has a single result for both sides, and a single slot for what a loop carries.
    Tracing fails: `ValueError: 'y' must also be initialized in the else branch`, `'y' has dtype
    int32 in the main branch, but dtype float32 in the else branch`, `'v' has shape (1,) before the
    loop, but shape (2,) after one iteration`. Eagerly, where one side runs, the same code works.

    ## Example
    ```python
    import tensorflow as tf

    @tf.function
    def total(x):
        result = 0
        for value in x:
            result += value
        return result

    total(tf.constant([0.5, 1.5]))
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    @tf.function
    def total(x):
        result = 0.0
        for value in x:
            result += value
        return result

    total(tf.constant([0.5, 1.5]))
    ```

    Give a name its value before the test, return on both sides, and collect with a
    `tf.TensorArray` rather than by `tf.concat`.

    ## Fix safety
    There are two fixes, both for code that fails when traced, and both unsafe, since other code may
    rely on what it gets eagerly: a whole number that is written out becomes the float that the
    tensor of float32 beside it needs, and a tensor that grows gets shape invariants.

    ## References
    - [AutoGraph: limitations](https://github.com/tensorflow/tensorflow/blob/master/tensorflow/python/autograph/g3doc/reference/limitations.md)
    - [tf.autograph.experimental.set_loop_options](https://www.tensorflow.org/api_docs/python/tf/autograph/experimental/set_loop_options)
    """

    code = "TXL310"
    name = "inconsistent-branches"
    summary = (
        "The sides of a test on a tensor, or the turns of a loop, leave different things behind"
    )
    level = Level.ERROR
    fixes = (Applicability.UNSAFE,)
    needs = ("@tensorflow", "@imported|@keras-loops", "@tracing")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look through the units that are proved to be traced and converted."""
        for unit, route in running_traces(model):
            if is_shown_to_fail(model, unit):
                continue
            if unconverted(model, unit) is None:
                yield from _of_branches(model, unit, route)
                yield from _of_loops(model, unit, route)
            for node, name, start, loop in growing_variables(model, unit):
                message = f"`{name}` grows from turn to turn of `tf.while_loop`, which is given no "
                message += f"`shape_invariants`; `{unit.name}` is traced"
                evidence = [Evidence(start, "begins here"), Evidence(loop.func, "the loop")]
                yield Report(node, message, evidence + of_route(route))


def _of_branches(model: SemanticModel, unit: Unit, route: Route) -> Iterator[Report]:
    for found in disagreements(model, unit):
        message = f"{found.what}; `{unit.name}` is traced"
        evidence = [Evidence(node, remark) for node, remark in found.proofs] + of_route(route)
        from .fix import as_float

        edits = as_float(found.number) if found.number is not None else None
        rewrite = _rewrite("Make the number a float", edits, "no code wants the int", unit)
        yield Report(found.node, message, evidence, rewrite)


def _of_loops(model: SemanticModel, unit: Unit, route: Route) -> Iterator[Report]:
    all_found = list(changes(model, unit))
    for found in all_found:
        message = f"{found.what}; `{unit.name}` is traced"
        evidence = [Evidence(found.start, "begins here")] if found.start is not found.node else []
        evidence.append(Evidence(_head(found), "the loop turns in the graph"))
        rewrite = _loop_rewrite(model, unit, found, all_found)
        yield Report(found.node, message, evidence + of_route(route), rewrite)


def _head(found: Change) -> cst.CSTNode:
    return found.loop.iter if isinstance(found.loop, cst.For) else found.loop.test


def _loop_rewrite(
    model: SemanticModel, unit: Unit, found: Change, all_found: Sequence[Change]
) -> Rewrite | None:
    if found.number is not None:
        from .fix import as_float

        edits: Sequence[NodeEdit] | None = as_float(found.number)
        return _rewrite("Begin with a float", edits, "no code wants the int", unit)
    same = [change for change in all_found if change.loop is found.loop]
    from .fix import with_invariants

    edits = with_invariants(model, same)
    return _rewrite("Say which dimension changes", edits, "the other dimensions stay", unit)


def _rewrite(
    title: str, edits: Sequence[NodeEdit] | None, assumption: str, unit: Unit
) -> Rewrite | None:
    if edits is None:
        return None
    return Rewrite(title, edits, Applicability.UNSAFE, Intent.CORRECTING, assumption, unit.qualname)
