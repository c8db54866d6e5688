"""Makes random numbers equal however code is run.

Eager code, graphs and XLA draw different numbers from the same seed. So TensorFlow's stateful
random ops are replaced by stateless ones (Philox) fed from one counter variable, which advances
alike in eager and in traced code. The stateless ones are replaced too: XLA's Philox gives the same
random bits as the CPU kernels but makes other floats of them, so floats are made of the bits by
ordinary ops here.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any, Callable, Dict, List

import numpy as np
import tensorflow as tf

Function = Callable[..., Any]


#: By this share floats are moved, to see what of a result hangs on the last digit.
NUDGE = 3e-7

_turn = [0]


def nudged(value: Any) -> Any:
    """A float tensor or array, each element moved a little, where that is asked for."""
    if not _turn[0]:
        return value
    cosine = np.cos if isinstance(value, np.ndarray) else tf.cos
    # Another share for each element: normalisation cancels what moves all of them alike.
    return value * (1.0 + NUDGE * cosine(1e3 * value + (_turn[0] - 1)))


def nudge(turn: int) -> None:
    """Begin to move what is drawn, otherwise in each turn; cease to, with 0."""
    _turn[0] = int(turn)


def is_nudging() -> bool:
    """Whether floats are moved a little."""
    return bool(_turn[0])


class Draws:
    """Hands out the seeds of all stateful draws: (global seed, how many draws came before)."""

    def __init__(self) -> None:
        self.state = tf.Variable([0, 0], dtype=tf.int64, trainable=False)

    def reset(self, seed: int) -> None:
        """Start anew from a global seed."""
        with tf.init_scope():
            self.state.assign([int(seed) % 2**31, 0])

    def next(self, op_seed: Any) -> Any:
        """The seed of the next draw."""
        current = self.state.assign_add([0, 1], read_value=True)
        offset = (int(op_seed) if isinstance(op_seed, int) else 0) % 2**31
        return tf.convert_to_tensor(current) + tf.constant([0, offset << 32], tf.int64)


_full_range_integers = tf.random.stateless_uniform


def _random_bits(shape: Any, seed: Any, stream: int = 0) -> Any:
    seed = tf.cast(seed, tf.int64) + tf.constant([stream, 0], tf.int64)
    if tf.executing_eagerly():
        # The same bits from one operation in the place of thirty; XLA has it for no such integers.
        return tf.raw_ops.StatelessRandomUniformFullInt(shape=shape, seed=seed, dtype=tf.uint32)
    return _full_range_integers(shape, seed, None, None, tf.uint32, alg="philox")


def _unit_interval(shape: Any, seed: Any, dtype: Any, stream: int = 0) -> Any:
    """Uniform in the open interval from 0 to 1, every step exact in float32."""
    high = tf.bitwise.right_shift(_random_bits(shape, seed, stream), tf.constant(9, tf.uint32))
    wide = tf.float64 if dtype == tf.float64 else tf.float32
    return (tf.cast(high, wide) + 0.5) * 2.0**-23


def _normal(
    shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = tf.float32, *_: Any
) -> Any:
    dtype = tf.as_dtype(dtype)
    angle = 2 * np.pi * _unit_interval(shape, seed, dtype, stream=1 << 40)
    radius = tf.sqrt(-2.0 * tf.math.log(_unit_interval(shape, seed, dtype)))
    return nudged(tf.cast(radius * tf.cos(angle), dtype)) * stddev + mean


def _truncated_normal(
    shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = tf.float32, *_: Any
) -> Any:
    dtype = tf.as_dtype(dtype)
    # The quantiles of the normal distribution between -2 and 2.
    quantile = 0.02275013 + (0.97724987 - 0.02275013) * _unit_interval(shape, seed, dtype)
    drawn = tf.cast(np.sqrt(2) * tf.math.erfinv(2 * quantile - 1), dtype)
    return nudged(drawn) * stddev + mean


def _uniform(
    shape: Any, seed: Any, minval: Any = 0, maxval: Any = None, dtype: Any = tf.float32, *_: Any
) -> Any:
    dtype = tf.as_dtype(dtype)
    if dtype.is_floating:
        low, high = (tf.cast(v, dtype) for v in (minval, 1 if maxval is None else maxval))
        drawn = nudged(tf.cast(_unit_interval(shape, seed, dtype), dtype))
        return drawn * (high - low) + low
    if maxval is None:
        return _full_range_integers(shape, seed, minval, maxval, dtype, alg="philox")
    low, high = tf.cast(minval, tf.int64), tf.cast(maxval, tf.int64)
    return tf.cast(tf.cast(_random_bits(shape, seed), tf.int64) % (high - low) + low, dtype)


def _categorical(logits: Any, num_samples: Any, seed: Any, dtype: Any = tf.int64, *_: Any) -> Any:
    logits = tf.convert_to_tensor(logits)
    shape = tf.concat([tf.shape(logits)[:1], [num_samples], tf.shape(logits)[1:]], axis=0)
    gumbel = -tf.math.log(-tf.math.log(_unit_interval(shape, seed, logits.dtype)))
    noisy = logits[:, None] + tf.cast(gumbel, logits.dtype)
    return tf.argmax(noisy, axis=-1, output_type=dtype or tf.int64)


def _shuffle(value: Any, seed: Any, *_: Any) -> Any:
    value = tf.convert_to_tensor(value)
    return tf.gather(value, tf.argsort(_random_bits(tf.shape(value)[:1], seed)))


def _gamma(
    shape: Any, seed: Any, alpha: Any, beta: Any = None, dtype: Any = tf.float32, *_: Any
) -> Any:
    alpha = tf.convert_to_tensor(alpha, dtype)
    wide = alpha + tf.zeros_like(0 if beta is None else beta, dtype)
    return tf.random.stateless_gamma(_each(shape, wide), seed, alpha, beta, dtype)


def _poisson(shape: Any, seed: Any, lam: Any, dtype: Any = tf.float32, *_: Any) -> Any:
    lam = tf.convert_to_tensor(lam)
    return tf.random.stateless_poisson(_each(shape, lam), seed, lam, dtype)


def _each(shape: Any, parameter: Any) -> Any:
    """The shape of what is drawn where each element of a parameter gets so much."""
    return tf.concat([tf.reshape(tf.cast(shape, tf.int32), [-1]), tf.shape(parameter)], axis=0)


def _by_name(*functions: Function) -> Dict[str, Function]:
    """The functions, called with whatever name and algorithm."""

    def plain(function: Function) -> Function:
        def draw(*args: Any, name: Any = None, alg: Any = None, **kwargs: Any) -> Any:
            return function(*args, **kwargs)

        return draw

    return {function.__name__[1:]: plain(function) for function in functions}


_STATELESS = _by_name(_normal, _truncated_normal, _uniform, _categorical, _shuffle)
_STATEFUL = {**_STATELESS, **_by_name(_gamma, _poisson)}
#: What TensorFlow's own modules call them.
_INTERNAL = {
    "normal": "random_normal",
    "uniform": "random_uniform",
    "shuffle": "random_shuffle",
    "gamma": "random_gamma",
    "poisson": "random_poisson_v2",
}


_made: List[Draws] = []


def restart(seed: int) -> None:
    """Start all draws anew from a global seed."""
    for draws in _made:
        draws.reset(seed)


def places() -> List[Any]:
    """Where all draws stand."""
    return [draws.state.numpy() for draws in _made]


def go_back(to: List[Any]) -> None:
    """Go on from where the draws stood once."""
    for draws, place in zip(_made, to):
        draws.state.assign(place)


def install() -> None:
    """Replace TensorFlow's random ops, for good; draws then start anew where it is seeded."""
    _made.append(Draws())
    _replace_random_ops(_made[0])
    _follow_set_seed()


def _replace_random_ops(draws: Draws) -> None:
    """Replace them also where TensorFlow's own code (tf.nn.dropout) calls them."""
    from tensorflow.python.ops import random_ops, stateless_random_ops

    public = (tf.random, tf.compat.v2.random, tf.compat.v1.random)
    for name, function in _STATEFUL.items():
        original = getattr(tf.random, name)
        stateful = _drawing(original, function, draws)
        _put(stateful, name, *public)
        _put(stateful, _INTERNAL.get(name, name), random_ops)
    for name, function in _STATELESS.items():
        pure = tf.autograph.experimental.do_not_convert(function)
        _put(pure, "stateless_" + name, *public)
        # The internal module knows some under a longer name: stateless_random_normal.
        _put(pure, "stateless_" + name, stateless_random_ops)
        _put(pure, "stateless_random_" + name, stateless_random_ops)


def _put(function: Function, name: str, *modules: Any) -> None:
    for module in modules:
        if hasattr(module, name):
            setattr(module, name, function)


def _drawing(original: Function, stateless: Function, draws: Draws) -> Function:
    """The function as users call it, its numbers drawn by a stateless one."""
    signature = inspect.signature(original)

    @functools.wraps(original)
    def draw(*args: Any, **kwargs: Any) -> Any:
        if _inside_dataset():
            return original(*args, **kwargs)
        given = dict(signature.bind(*args, **kwargs).arguments)
        given["seed"] = draws.next(given.get("seed"))
        return stateless(**{name: value for name, value in given.items() if value is not None})

    converted: Function = tf.autograph.experimental.do_not_convert(draw)
    return converted


def _inside_dataset() -> bool:
    """Whether a function of a tf.data pipeline is being traced.

    Those are graphs whichever way the program runs, and a captured counter would make parallel
    maps draw in no fixed order, so they keep TensorFlow's own random ops.
    """
    graph: Any = tf.compat.v1.get_default_graph()
    while graph is not None:
        if getattr(graph, "name", "").startswith("Dataset_"):
            return True
        graph = getattr(graph, "outer_graph", None)
    return False


def _follow_set_seed() -> None:
    """Let the program's own tf.random.set_seed start the draws anew, as it does in TensorFlow."""
    original = tf.random.set_seed

    @functools.wraps(original)
    def set_seed(seed: int) -> None:
        original(seed)
        restart(seed)

    for module in (tf.random, tf.compat.v2.random):
        module.set_seed = set_seed
