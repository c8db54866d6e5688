# A counter beside a condition on a tensor bounds the turns, which the loop's options then say.
# intent: correcting
import tensorflow as tf

LIMIT = 12


@tf.function(jit_compile=True)
def slope(x: tf.Tensor):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y, turns = x, 0
        while turns < LIMIT and y < 100.0:
            # Squares until it is large.
            y = y * y
            turns += 1
    return y, tape.gradient(y, x)


value, gradient = slope(tf.constant(1.5))
