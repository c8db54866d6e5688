"""Lets data pipelines run without being tuned where nobody asks for their time.

An iterator that goes away waits for the thread that tunes it, which sleeps for 20 ms at a time: most
iterators of a test are done with by then.
"""

from __future__ import annotations

import contextlib
from typing import Any, Iterator

import tensorflow as tf


@contextlib.contextmanager
def untuned() -> Iterator[None]:
    """Iterators that are made meanwhile are not tuned; what they yield is the same."""
    try:
        # TensorFlow's own place for what all iterators are to do; no version that is known lacks it.
        from tensorflow.python.data.ops import dataset_ops

        kind, with_options = dataset_ops.DatasetV2, dataset_ops._OptionsDataset
        before = kind._apply_debug_options
    except (ImportError, AttributeError):
        yield
        return
    options = tf.data.Options()
    options.autotune.enabled = False

    def changed(dataset: Any) -> Any:
        dataset = before(dataset)
        # TensorFlow warns where one option says two things.
        is_open = dataset.options().autotune.enabled is None
        return with_options(dataset, options) if is_open else dataset

    kind._apply_debug_options = changed
    try:
        yield
    finally:
        kind._apply_debug_options = before
