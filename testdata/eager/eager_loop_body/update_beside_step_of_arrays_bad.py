# The traced step is given NumPy arrays and stays as it is; what applies its gradients is traced alone.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(6)
net = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(8, activation="tanh")])
optimizer = tf.keras.optimizers.Adam(0.01)
draws = np.random.default_rng(2)


def draw(count):
    x = draws.normal(size=(count, 4))
    return x.astype(np.float32), x.sum(axis=1, keepdims=True)


@tf.function
def compute_gradients(inputs):
    x, y = inputs
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(net(x) - tf.cast(y, tf.float32)))
    return loss, tape.gradient(loss, net.trainable_variables)


history = []
for step in range(120):
    x, y = draw(16)
    loss, gradients = compute_gradients((x, y))
    optimizer.apply_gradients(zip(gradients, net.trainable_variables))
    if step % 40 == 0:
        history.append(loss.numpy())
