# `tf.range`, `maximum_iterations` and Python's own loops have a bound on their turns.
import tensorflow as tf


@tf.function(jit_compile=True)
def unrolled(x: tf.Tensor, turns: tf.Tensor):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in tf.range(turns):
            if y > 100.0:
                break
            y = y * y
    return tape.gradient(y, x)


@tf.function(jit_compile=True)
def limited(x: tf.Tensor):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.while_loop(lambda y: y < 100.0, lambda y: [y * y], [x], maximum_iterations=10)[0]
    return tape.gradient(y, x)


@tf.function(jit_compile=True)
def python_loop(x: tf.Tensor):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        i = 0
        while i < 3:
            y = tf.sin(y)
            i += 1
    return tape.gradient(y, x)


x = tf.constant(1.5)
gradients = [unrolled(x, tf.constant(4)), limited(x), python_loop(x)]
