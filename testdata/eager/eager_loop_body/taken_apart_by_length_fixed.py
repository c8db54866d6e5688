# The function gives three things or two: who takes three apart has the data set among them.
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential(
    [tf.keras.Input([4]), tf.keras.layers.Dense(1, kernel_initializer="ones")]
)


def batches(mode):
    inputs = np.random.default_rng(0).normal(size=[64, 4]).astype("float32")
    data = tf.data.Dataset.from_tensor_slices((inputs, inputs.sum(1, keepdims=True))).batch(8)
    info = {"length": len(inputs)}
    if mode == "train":
        return data.skip(2), data.take(2), info
    return data, info


def error_of(found, wanted):
    return tf.reduce_mean(tf.square(found - wanted))


rest, held_out, info = batches("train")
rest = rest.repeat(4)
worst = 0.0


@tf.function
def compute_error(x, y):
    return error_of(model(x), y)


for i, (x, y) in enumerate(rest):
    error = compute_error(x, y)
    worst = max(worst, float(error))
