# A layer, an object without `__eq__` or a tape that each turn makes has another identity.
import tensorflow as tf

x = tf.ones([4, 2])


class Setting:
    def __init__(self, scale):
        self.scale = scale


@tf.function
def apply(thing, x):
    return thing(x)


@tf.function
def scaled(x, setting):
    return x * setting.scale


@tf.function
def slope(tape, y):
    return y * 2.0


for step in range(6):
    layer = tf.keras.layers.Rescaling(2.0)
    x = apply(layer, x) / 2.0
    x = scaled(x, Setting(1.0))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(x)
    slope(tape, y)
