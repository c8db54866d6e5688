# Arguments that are there, also by partial, by `**` and in a base class.
import functools

import tensorflow as tf
from tensorflow.keras import layers

Conv = functools.partial(layers.Conv2D, kernel_size=3, padding="same", activation="relu")
settings = {"units": 1, "name": "out"}
model = tf.keras.Sequential(
    [layers.Input(batch_shape=(None, 8, 8, 1)), Conv(4, name="conv"), layers.Flatten()]
)
model.add(layers.Dense(**settings, dtype="float32", trainable=True))
model.compile(tf.keras.optimizers.Adam(learning_rate=1e-3, clipnorm=1.0), loss="mse")
data = tf.data.Dataset.range(8).map(lambda i: i + 1, num_parallel_calls=2)
data = data.batch(2, drop_remainder=True)
v = tf.Variable(1.0, trainable=False, name="v")
v.assign_add(1.0, read_value=False)
total = tf.reduce_sum(tf.ones([2, 2]), axis=1, keepdims=True)


@tf.function(reduce_retracing=True)
def double(x):
    tf.print("doubled", x, output_stream="file:///dev/null", summarize=3)
    return 2 * x


doubled = double(total)
