# Each turn of the loop runs a whole `fit`; the few operations behind it run once for that.
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
series = tf.random.stateless_normal([32, 3], [4, 9])
target = tf.reduce_sum(series, axis=1, keepdims=True)
network = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
network.compile("adam", "mae", jit_compile=False)
spread = []
for part in range(12):
    network.fit(series, target, batch_size=8, verbose=0)
    distance = tf.abs(network(series, training=False) - target)
    spread.append((float(tf.reduce_min(distance)), float(tf.reduce_max(distance))))
