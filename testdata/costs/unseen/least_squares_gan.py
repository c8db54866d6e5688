"""Two networks against each other on points of a ring."""
import math

import tensorflow as tf

EPOCHS = 2
maker = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(20), tf.keras.layers.LeakyReLU(),
                             tf.keras.layers.Dense(2)])
judge = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(20), tf.keras.layers.LeakyReLU(),
                             tf.keras.layers.Dropout(0.1), tf.keras.layers.Dense(1)])
mse = tf.keras.losses.MeanSquaredError()
for_maker, for_judge = tf.keras.optimizers.Adam(2e-3), tf.keras.optimizers.Adam(1e-3)


def play(real):
    noise = tf.random.normal([16, 3])
    with tf.GradientTape() as one, tf.GradientTape() as two:
        fake = maker(noise, training=True)
        said_real, said_fake = judge(real, training=True), judge(fake, training=True)
        judged = mse(tf.ones_like(said_real), said_real) + mse(tf.zeros_like(said_fake), said_fake)
        made = mse(tf.ones_like(said_fake), said_fake)
    for_judge.apply_gradients(zip(two.gradient(judged, judge.trainable_variables),
                                  judge.trainable_variables))
    for_maker.apply_gradients(zip(one.gradient(made, maker.trainable_variables),
                                  maker.trainable_variables))
    return made, judged


angles = tf.random.uniform([128]) * 2 * math.pi
ring = tf.stack([tf.cos(angles), tf.sin(angles)], axis=1)
for epoch in range(EPOCHS):
    for real in tf.data.Dataset.from_tensor_slices(ring).batch(16, drop_remainder=True):
        made, judged = play(real)
    print(epoch, float(made), float(judged))
