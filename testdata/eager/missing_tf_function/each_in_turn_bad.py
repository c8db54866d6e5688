"""One loop gives the step one network after the other: no place is run once for each."""

import tensorflow as tf

tf.keras.utils.set_random_seed(4)
networks = [tf.keras.Sequential([tf.keras.layers.Dense(1)]) for _ in range(3)]
optimizers = [tf.keras.optimizers.Adam(0.01) for _ in networks]


def train_step(network, optimizer, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(network(x) - 1.0))
    gradients = tape.gradient(loss, network.trainable_variables)
    optimizer.apply_gradients(zip(gradients, network.trainable_variables))
    return loss


for step in range(20):
    x = tf.random.stateless_normal((8, 3), (step, 1))
    losses = [train_step(n, o, x) for n, o in zip(networks, optimizers)]
print([round(float(loss), 4) for loss in losses])
