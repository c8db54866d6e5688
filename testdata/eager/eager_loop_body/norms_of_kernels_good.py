# A report that goes through the layers of a model: so many turns as there are layers.
import tensorflow as tf

tf.keras.utils.set_random_seed(2)
model = tf.keras.Sequential([tf.keras.Input([6])])
for units in (8, 8, 4, 1):
    model.add(tf.keras.layers.Dense(units, activation="tanh"))


def spectral_report(model):
    found = {}
    for layer in model.layers:
        kernel = layer.kernel
        u = tf.nn.l2_normalize(tf.ones([kernel.shape[-1], 1]))
        v = tf.nn.l2_normalize(tf.matmul(kernel, u))
        u = tf.nn.l2_normalize(tf.matmul(kernel, v, transpose_a=True))
        sigma = tf.reduce_sum(v * tf.matmul(kernel, u))
        found[layer.name] = float(sigma), float(tf.norm(kernel)), float(tf.reduce_max(kernel))
    return found


report = spectral_report(model)
print(len(report))
