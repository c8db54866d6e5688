# Pairs, options and objects that compare by value are found again in the trace's cache.
from dataclasses import dataclass
from typing import NamedTuple

import tensorflow as tf


class Pair(NamedTuple):
    left: tf.Tensor
    right: tf.Tensor


@dataclass(frozen=True)
class Options:
    power: int


class Named:
    def __init__(self, name):
        self.name = name

    def __eq__(self, other):
        return isinstance(other, Named) and self.name == other.name

    def __hash__(self):
        return hash(self.name)


@tf.function
def step(x, what):
    return x * 2.0


x = tf.ones([3])
weights = [0.25, 0.75]
kept = []
for turn in range(8):
    x = step(x, Pair(x, x))
    options = Options(2)
    named = Named("a")
    x = step(x, options)
    x = step(x, named)
    kept += [options, named]
    x = step(x, tf.Variable(1.0))
    x = step(x, weights)
    x = step(x, [x, x])
