"""TXL604."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.findings import Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.model import SemanticModel

from .detect import misplaced_stages


class PipelineOrder(Rule):
    """## What it does
    Finds stages of a `tf.data` pipeline in an order that defeats them:

    - `cache` after a `map` that draws at random (augmentation, also by NumPy in a Python function of
      the pipeline), or after an endless `repeat`;
    - `cache` after the only `shuffle`, where epochs go through it again;
    - `shuffle` after `batch`, where nothing shuffled the examples before;
    - `shuffle` after `repeat(epochs)`.

    Batches that are batched again or taken apart (windows of text), pipelines whose beginning is
    not known, draws with a seed of their own, and draws under a Python condition are left alone; so
    is the order of what is split by `take` and `skip`, or is told how to be shuffled again.

    ## Why is this bad?
    `cache` keeps what the first epoch computed, so every epoch sees the same crops and flips: the
    augmentation only makes the dataset another one, no larger. An order that was cached is the same in
    every epoch as well. (Under `tf.random.set_seed`, a loop
    that starts the dataset again repeats the draws in any case; `repeat` goes on drawing.) After a
    `repeat` without end, the cache is never complete and grows without bound.

    `shuffle` after `batch` changes the order of the batches; the same examples stay together in
    every epoch, and its buffer holds whole batches. `shuffle` after `repeat` lets examples of the
    next epoch in before those of this one are through.

    ## Example
    ```python
    import tensorflow as tf


    def augment(image, label):
        return tf.image.random_flip_left_right(image), label


    def pipeline(images, labels):
        data = tf.data.Dataset.from_tensor_slices((images, labels))
        return data.map(augment).cache().shuffle(1000).batch(32)
    ```

    ## Use instead
    ```python
    import tensorflow as tf


    def augment(image, label):
        return tf.image.random_flip_left_right(image), label


    def pipeline(images, labels):
        data = tf.data.Dataset.from_tensor_slices((images, labels))
        return data.cache().shuffle(1000).map(augment).batch(32)
    ```

    ## References
    - [Better performance with the tf.data API: caching](https://www.tensorflow.org/guide/data_performance#caching)
    - [tf.data: randomly shuffling input data](https://www.tensorflow.org/guide/data#randomly_shuffling_input_data)
    """

    code = "TXL604"
    name = "pipeline-order"
    summary = "The stages of an input pipeline stand in an order that defeats them"
    level = Level.NOTE
    quiet_in_tests = True
    needs = ("@imported", ".cache|.shuffle")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report each stage that stands too late."""
        for found in misplaced_stages(model):
            func = found.stage.call.func
            assert isinstance(func, cst.Attribute)
            message = (
                f"`{found.stage.name}` stands after `{found.earlier.name}`, so that {found.why}"
            )
            evidence = [Evidence(node, remark) for node, remark in found.remarks]
            yield Report(func.attr, message, evidence)
