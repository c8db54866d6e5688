# Run once, too little work, or compiled already: nothing to gain.
import tensorflow as tf


@tf.function
def relaxed(x):
    for _ in tf.range(4):
        x = 0.5 * x + 0.5 * tf.reduce_mean(x)
    return x


@tf.function
def shifted(x):
    return x + 1.0


@tf.function(jit_compile=True)
def compiled(x):
    for _ in tf.range(4):
        x = 0.5 * x + 0.5 * tf.reduce_mean(x)
    return x


once = relaxed(tf.ones([3]))
for step in range(10):
    small = shifted(tf.ones([3]))
    large = compiled(tf.ones([3]))
