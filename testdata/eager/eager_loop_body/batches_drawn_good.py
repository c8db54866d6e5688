# A generator draws each batch with few operations; what is trained with them is Keras' business.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(8)
table = tf.random.stateless_normal([60, 3], [8, 8])
targets = tf.reduce_sum(table, axis=1, keepdims=True)
rng = np.random.default_rng(8)


def batches(size, count):
    for _ in range(count):
        rows = rng.integers(0, 60, size=size)
        yield tf.gather(table, rows), tf.gather(targets, rows)


model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.05), "mse", jit_compile=False)
losses = [model.train_on_batch(x, y) for x, y in batches(8, 12)]
print(round(float(losses[-1]), 3))
