# The model runs eagerly for one look at its steps; compiling it again sets that back.
import tensorflow as tf

tf.keras.utils.set_random_seed(12)
rows = tf.random.stateless_normal([16, 2], [1, 2])
sums = tf.reduce_sum(rows, axis=1, keepdims=True)
network = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(1)])
network.compile("sgd", "mse", run_eagerly=True)
look = network.fit(rows, sums, steps_per_epoch=1, verbose=0).history["loss"]
network.compile("sgd", "mse", jit_compile=False)
history = look + network.fit(rows, sums, epochs=3, verbose=0).history["loss"]
