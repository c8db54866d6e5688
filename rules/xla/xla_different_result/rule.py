"""TXL404."""

from __future__ import annotations

from collections.abc import Iterator

from tfxla_lint.edits import InsertArgument, Rewrite
from tfxla_lint.evidence import of_compiled
from tfxla_lint.findings import Applicability, Intent, Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.compiled import Compiled, compiled_units
from tfxla_lint.semantics.model import SemanticModel

from .dropped_checks import dropped_checks
from .lost_errors import lost_errors
from .random_draws import RandomDraw, random_draws
from .wild_indices import wild_indices


class XlaDifferentResult(Rule):
    """## What it does
    Finds compiled code that computes something else than it does without XLA, and says nothing:

    - random numbers: XLA draws its own. It ignores `tf.random.set_seed` and `seed=`; stateless
      draws and generators give the same numbers on every run, but not those of the uncompiled
      function (integers agree). A draw whose seed nothing sets is a note;
    - indices that can lie outside (a negative one, one past the last row): `tf.gather` then takes
      the nearest member, scatters drop the update;
    - `tf.debugging.assert_*`, `tf.Assert` and `check_numerics` on values and sizes that are only
      known when the function runs: they are left out;
    - NaN: `tf.reduce_max` and `tf.reduce_min` pass over it, sorting puts it last, a cast to an
      integer gives 0; reported where the code puts a NaN in, or looks for one in the result;
    - integer division by a count that can be zero.

    ## Why is this bad?
    Without XLA, and on a CPU, most of these raise an error. With it, training goes on with numbers
    that mean nothing, and results cannot be reproduced.

    ## Example
    ```python
    import tensorflow as tf

    @tf.function(jit_compile=True)
    def noisy(x):
        return x + tf.random.stateless_normal([8], seed=[1, 2])
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    @tf.function(jit_compile=True)
    def noisy(x):
        return x + tf.random.stateless_normal([8], seed=[1, 2], alg="philox")
    ```

    Draw outside of the compiled function and pass the numbers in, check before or after the call,
    and keep indices within bounds (`tf.clip_by_value`).

    ## Fix safety
    `alg="philox"` is offered for stateless draws with a literal seed and shape: TensorFlow then
    computes them before XLA sees them. With a seed that is an argument, XLA makes other floats of
    the same bits, and there is no fix. It is unsafe since it changes the numbers.

    ## References
    - [tf.random.stateless_uniform](https://www.tensorflow.org/api_docs/python/tf/random/stateless_uniform)
    - [tf.gather](https://www.tensorflow.org/api_docs/python/tf/gather)
    - [Known issues of XLA](https://www.tensorflow.org/xla/known_issues)
    """

    code = "TXL404"
    name = "xla-different-result"
    summary = "Compiled code silently computes something else than it does without XLA"
    level = Level.ERROR
    fixes = (Applicability.UNSAFE,)
    needs = ("@imported", "jit_compile|experimental_compile")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look through the units that are proved to be compiled."""
        for compiled in compiled_units(model):
            chain = of_compiled(compiled)
            yield from _draws(model, compiled, chain)
            for check in dropped_checks(model, compiled.unit):
                text = model.code(check.checked)
                message = f"XLA leaves `{check.name}` out: nothing checks `{text}`"
                yield Report(check.node, message, chain)
            for wild in wild_indices(model, compiled.unit):
                outcome = "drops the update" if wild.drops else "takes the nearest member instead"
                message = f"XLA raises no error for an index that lies outside, it {outcome}"
                yield Report(wild.node, message, [Evidence(wild.place, wild.reason), *chain])
            for lost in lost_errors(model, compiled.unit):
                yield Report(lost.node, lost.message, [Evidence(lost.proof, lost.remark), *chain])


def _draws(model: SemanticModel, compiled: Compiled, chain: list[Evidence]) -> Iterator[Report]:
    """A report for each seeded draw, and one note for all others of a unit."""
    draws = list(random_draws(model, compiled.unit))
    for draw in draws:
        if draw.seeded is not None:
            message = f"`{draw.name}`: XLA ignores the seed and draws other numbers on every run"
            if draw.keeps_seed:
                message = (
                    f"`{draw.name}`: by this seed, XLA draws other numbers than the uncompiled "
                    "function"
                )
            seed = Evidence(draw.seeded, "the seed")
            yield Report(draw.node, message, [seed, *chain], _philox(draw, compiled))
    free = [draw for draw in draws if draw.seeded is None]
    if free:
        message = f"`{free[0].name}`: XLA draws other numbers than the uncompiled function"
        others = [Evidence(draw.node, "so it does here") for draw in free[1:]]
        yield Report(free[0].node, message, [*others, *chain], level=Level.NOTE)


def _philox(draw: RandomDraw, compiled: Compiled) -> Rewrite | None:
    if not draw.can_fold:
        return None
    return Rewrite(
        "Draw by Philox",
        [InsertArgument(draw.node, 'alg="philox"')],
        Applicability.UNSAFE,
        Intent.CORRECTING,
        "the numbers that XLA drew so far need not stay",
        compiled.unit.qualname,
    )
