# Sizes, bounds and places that come from tensors are compiled for each value.
import tensorflow as tf


def mask_for(lengths):
    return tf.sequence_mask(lengths, dtype=tf.float32)


@tf.function(jit_compile=True)
def total_length(lengths: tf.Tensor):
    return tf.reduce_sum(mask_for(lengths))


@tf.function(
    jit_compile=True,
    input_signature=[tf.TensorSpec([], tf.float32), tf.TensorSpec([], tf.int32)],
)
def grow(x, turns):
    for _ in tf.range(turns):
        x = x * 1.5
    return x


class Memory(tf.Module):
    def __init__(self, capacity):
        super().__init__()
        self.place = tf.Variable(0)
        self.values = tf.Variable(tf.zeros([capacity]))

    @tf.function(jit_compile=True)
    def store(self, value):
        self.values[self.place].assign(value)
        self.place.assign_add(1)


totals = [total_length(tf.constant(lengths)) for lengths in ([1, 2], [3, 1], [2, 2])]
grown = [grow(tf.constant(1.0), tf.constant(turns)) for turns in (1, 2, 3)]
memory = Memory(4)
for value in (0.5, 1.5, 2.5, 3.5):
    memory.store(tf.constant(value))
stored = memory.values.numpy()
