# No gradient goes through the loop: before the tape, stopped, or of sums only.
import tensorflow as tf

scale = tf.Variable(2.0)


@tf.function(jit_compile=True)
def grow(x: tf.Tensor):
    while x < 100.0:
        x = x * x
    return x


@tf.function(jit_compile=True)
def step(x: tf.Tensor):
    bound = grow(x)
    turns = tf.constant(0)
    with tf.GradientTape() as tape:
        while tf.cast(turns, tf.float32) < 3.0:
            turns = turns + 1
        large = x
        while large < 50.0:
            large = large * large
        loss = scale * bound + tf.stop_gradient(large)
    return tape.gradient(loss, scale), turns


@tf.function(jit_compile=True)
def sums(x: tf.Tensor):
    with tf.GradientTape() as tape:
        tape.watch(x)
        total = x
        while total < 10.0:
            total = total + x
    return tape.gradient(total, x)


gradient, turns = step(tf.constant(1.5))
slope = sums(tf.constant(1.5))
