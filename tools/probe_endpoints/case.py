"""One call of an endpoint as a user may write it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import tensorflow as tf


@dataclass
class Case:
    """A function of tensors, and what to call it with.

    `literals` are options that the call spells out, as source text by parameter. `again` has, by
    parameter, other arguments that differ only in the value of the tensor given for it. `bad` are
    arguments that an eager call refuses while it runs. `own` are operations that the program around
    the endpoint makes.
    """

    run: Callable[..., Any]
    arguments: tuple[Any, ...]
    literals: Mapping[str, str] = field(default_factory=dict)
    again: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    bad: tuple[Any, ...] = ()
    own: tuple[str, ...] = ()


Builder = Callable[[], Case]
_generator = np.random.default_rng(7)


def case(run: Callable[..., Any], *arguments: Any, **options: Any) -> Case:
    return Case(run, arguments, **options)


def restart() -> None:
    """Makes the next arguments the same as the first ones."""
    global _generator
    _generator = np.random.default_rng(7)
    tf.keras.utils.set_random_seed(11)


def normal(*shape: int, dtype: str = "float32") -> Any:
    return tf.constant(_generator.normal(size=shape), dtype)


def between(low: float, high: float, *shape: int, dtype: str = "float32") -> Any:
    return tf.constant(_generator.uniform(low, high, size=shape), dtype)


def below(limit: int, *shape: int, dtype: str = "int32") -> Any:
    return tf.constant(_generator.integers(0, limit, size=shape), dtype)


def truth(*shape: int) -> Any:
    return tf.constant(_generator.integers(0, 2, size=shape), "bool")


def photo(*shape: int) -> Any:
    """Channels-last pictures with values from 0 to 1."""
    return between(0.0, 1.0, *(shape or (2, 16, 16, 3)))


def simplex(*shape: int) -> Any:
    """Rows that sum to one, as a softmax makes them."""
    return tf.nn.softmax(normal(*shape))


def layered(layer: Any, *inputs: Any, **options: Any) -> Case:
    """A layer as a model calls it: its weights exist before anything is traced."""
    layer(*inputs, **options)
    literals = {name: repr(value) for name, value in options.items()}
    return Case(lambda *given: layer(*given, **options), inputs, literals)


def measured(metric: Any, *inputs: Any) -> Case:
    """A metric as a training step updates it."""

    def step(*given: Any) -> Any:
        metric.update_state(*given)
        return metric.result()

    return Case(step, inputs)
