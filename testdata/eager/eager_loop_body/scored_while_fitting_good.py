# A `while` loop whose turns each run a whole `fit` is one of rounds, and not one of steps.
import tensorflow as tf

tf.keras.utils.set_random_seed(8)
series = tf.random.stateless_normal([24, 2], [8, 8])
target = tf.reduce_prod(series, axis=1, keepdims=True)
network = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(1)])
network.compile("sgd", "mse", jit_compile=False)
rounds, worst = 0, 10.0
while rounds < 12 and worst > 1e-6:
    network.fit(series, target, batch_size=6, verbose=0)
    distance = tf.square(network(series, training=False) - target)
    worst = float(tf.reduce_max(tf.sqrt(distance)) + tf.reduce_mean(distance))
    rounds += 1
