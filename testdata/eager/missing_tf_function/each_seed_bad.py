"""Each seed has a model of its own, two functions above the step that trains it."""

import tensorflow as tf


def train_step(model, optimizer, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - 1.0))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def run(seed):
    tf.keras.utils.set_random_seed(seed)
    model = tf.keras.Sequential([tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.Adam(0.01)
    for step in range(16):
        x = tf.random.stateless_normal((8, 3), (step, seed))
        loss = train_step(model, optimizer, x)
    return float(loss)


def main():
    print([round(run(seed), 4) for seed in range(4)])


main()
