"""TXL602."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import InsertArgument, Rewrite
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.seeds import fixed_seed, own_seed

from ..shared.stages import elements_at, mapped_unit
from .detect import SequentialMap, sequential_maps

_OF_DRAWS = "which element gets which random numbers, though seeded, then depends on timing"
_OF_VARIABLES = "nothing changes the variable while the pipeline runs ahead"


class SequentialMapRule(Rule):
    """## What it does
    Finds `Dataset.map` without `num_parallel_calls` of functions that have state: that draw at random and
    do other tensor work besides (augmentation, mostly), or that read a variable, such as the weights of a
    model that they run.

    Maps without state are left alone, since tf.data runs them in parallel by itself; so are draws for
    whole batches, pipelines behind which `cache` keeps the results, and programs that ask
    for determinism.

    ## Why is this bad?
    An operation with state keeps tf.data from running the function for several elements at once, so
    that one core augments while the step waits. With `num_parallel_calls` the results still come in
    the order of the elements.

    ## Example
    ```python
    import tensorflow as tf


    def augment(image):
        image = tf.image.random_flip_left_right(image)
        return tf.image.random_brightness(image, 0.2)


    def train(model, images):
        data = tf.data.Dataset.from_tensor_slices(images).map(augment).batch(32)
        model.fit(data)
    ```

    ## Use instead
    ```python
    import tensorflow as tf


    def augment(image):
        image = tf.image.random_flip_left_right(image)
        return tf.image.random_brightness(image, 0.2)


    def train(model, images):
        data = tf.data.Dataset.from_tensor_slices(images).map(augment, num_parallel_calls=tf.data.AUTOTUNE).batch(32)
        model.fit(data)
    ```

    ## Fix safety
    The fix is unsafe: elements keep their order, but which element gets which random numbers then
    depends on timing, so that a run with a seed is no longer the same every time. `stateless_*`
    draws from a seed for each element stay the same in parallel. Variables are read earlier than they
    were.

    Where the project fixes a seed (`tf.random.set_seed`, `tf.keras.utils.set_random_seed`, a `seed`
    of the draw's own), it asks for the same numbers in every run: there the fix is shown and never
    applied.

    ## References
    - [Better performance with the tf.data API: parallelizing data transformation](https://www.tensorflow.org/guide/data_performance#parallelizing_data_transformation)
    """

    code = "TXL602"
    name = "sequential-map"
    summary = "A pipeline maps a function with state over one element after the other"
    level = Level.NOTE
    fixes = (Applicability.UNSAFE, Applicability.DISPLAY)
    quiet_in_tests = True
    needs = ("@tensorflow", ".map")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report each such map."""
        for found in sequential_maps(model):
            func = found.stage.call.func
            assert isinstance(func, cst.Attribute)
            what, evidence, seed = "reads a variable", list[Evidence](), None
            if found.draw is not None:
                what = "draws random numbers"
                evidence.append(Evidence(found.draw.call, "draws at random"))
                seed = fixed_seed(model, found.draw.call) or own_seed(found.draw.call)
            elif found.read is not None:
                evidence.append(Evidence(found.read, "reads a variable"))
            message = (
                f"the function {what}, which keeps tf.data from running it for several "
                "elements at once, unless `num_parallel_calls` asks for it"
            )
            evidence += [Evidence(reader.node, "reads the pipeline") for reader in found.readers]
            if seed is not None:
                message += "; as a seed is fixed, each run would then draw other numbers"
                evidence.append(Evidence(seed, "fixes the seed"))
            unit = mapped_unit(model, found.stage)
            yield Report(
                func.attr,
                message,
                evidence,
                _rewrite(model, found, seed is not None),
                at_stake=elements_at(model, found.stage, found.readers, "mapped_element", unit),
            )


def _rewrite(model: SemanticModel, found: SequentialMap, is_seeded: bool) -> Rewrite | None:
    autotune = tensorflow_name(model, "data.AUTOTUNE", at=found.stage.call)
    if autotune is None or any(argument.star for argument in found.stage.call.args):
        return None
    return Rewrite(
        "Map in parallel",
        [InsertArgument(found.stage.call, f"num_parallel_calls={autotune}")],
        Applicability.DISPLAY if is_seeded else Applicability.UNSAFE,
        assumption=_OF_DRAWS if found.draw is not None else _OF_VARIABLES,
        unit=model.unit(found.stage.call).qualname,
    )
