# Objects made once, or once in a while, and functions that stay, have one trace each.
import tensorflow as tf

x = tf.ones([4, 2])
layer = tf.keras.layers.Rescaling(2.0)


@tf.function
def apply(thing, x):
    return thing(x)


def square(v):
    return v * v


lazy = None
for step in range(8):
    x = apply(layer, x)
    x = apply(square, x)
    if lazy is None:
        lazy = tf.keras.layers.Rescaling(0.5)
    x = apply(lazy, x)
    x = apply(square, tf.constant(float(step)))
    if step % 4 == 0:
        apply(lambda v: v + 1.0, x)

for kind in range(2):
    apply(lambda v: v * 2.0, x)
