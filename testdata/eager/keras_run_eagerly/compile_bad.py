# The argument of `compile` on its own line goes with its line and comma.
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(3)
x = tf.reshape(tf.range(24.0) / 24.0, [8, 3])
y = tf.reduce_sum(x, axis=1, keepdims=True)

model = keras.Sequential(
    [
        keras.Input((3,)),
        keras.layers.Dense(4, activation="relu"),
        keras.layers.Dense(1),
    ]
)
model.compile(
    optimizer=keras.optimizers.SGD(0.1),
    loss="mse",
    run_eagerly=True,
)
history = model.fit(x, y, epochs=2, batch_size=4, shuffle=False, verbose=0)
losses = history.history["loss"]
