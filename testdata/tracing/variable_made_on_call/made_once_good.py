# Made in `__init__`, in `build` or under a test for None: once for each object.
import tensorflow as tf


class Counter(tf.Module):
    def __init__(self):
        super().__init__()
        self.count = None
        self.mean = None
        self.ready = False

    def make_mean(self):
        self.mean = tf.keras.metrics.Mean()

    @tf.function
    def __call__(self, x):
        if self.count is None:
            self.count = tf.Variable(0.0)
        if self.mean is None:
            self.make_mean()
        if not self.ready:
            self.optimizer = tf.keras.optimizers.SGD(0.1)
            self.ready = True
        return self.count.assign_add(tf.reduce_sum(x))


class Block(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(3)

    def build(self, shape):
        self.scale = tf.Variable(tf.ones(shape[-1:]))
        self.dense.build(shape)

    def call(self, x):
        return self.dense(x * self.scale)


class Lazy(tf.Module):
    def __init__(self):
        super().__init__()
        self.head = None

    def __call__(self, x):
        if self.head is None:
            self.head = tf.keras.layers.Dense(1)
        return self.head(x)


@tf.function
def lazily(x):
    return lazy(x)


lazy = Lazy()
counted = Counter()(tf.ones([2]))
output = lazily(Block()(tf.ones([2, 3]))).shape
