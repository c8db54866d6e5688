# Functions kept in a cache, a dict or an attribute are made once for each key.
import functools

import tensorflow as tf


def power(x, n):
    result = x
    for _ in range(n - 1):
        result = result * x
    return result


@functools.lru_cache(maxsize=None)
def make_power(n):
    @tf.function
    def raised(x):
        return power(x, n)

    return raised


class Cache:
    def __init__(self):
        self.functions = {}
        self.last = None

    def get(self, n, x):
        if n not in self.functions:
            self.functions[n] = tf.function(lambda v: power(v, n))
        if self.last is None:
            self.last = tf.function(tf.math.square)
            self.last(x)
        return self.functions[n](x)


cache = Cache()
values = []
for turn in range(12):
    x = tf.constant(float(turn))
    values.append(make_power(2)(x) + cache.get(3, x))
