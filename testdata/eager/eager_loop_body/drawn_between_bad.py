"""Noise that NumPy draws between two steps of one turn is drawn where both are called as one."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
maker = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(6)])
critic = tf.keras.Sequential([tf.keras.Input([6]), tf.keras.layers.Dense(1)])
maker_optimizer = tf.keras.optimizers.Adam(0.001)
critic_optimizer = tf.keras.optimizers.Adam(0.001)
samples = np.sin(np.arange(768, dtype=np.float32)).reshape(128, 6)
size = 32
np.random.seed(1)


def train():
    losses = []
    for epoch in range(4):
        for i in range(0, 128, size):
            real = samples[i : i + size]
            noise = np.random.normal(0, 1, (size, 4)).astype(np.float32)
            with tf.GradientTape() as tape:
                fake = critic(maker(noise, training=True), training=True)
                critic_loss = tf.reduce_mean(fake) - tf.reduce_mean(critic(real, training=True))
            grads = tape.gradient(critic_loss, critic.trainable_variables)
            critic_optimizer.apply_gradients(zip(grads, critic.trainable_variables))
            for weight in critic.trainable_variables:
                weight.assign(tf.clip_by_value(weight, -0.5, 0.5))
            noise = np.random.normal(0, 1, (size, 4)).astype(np.float32)
            with tf.GradientTape() as tape:
                maker_loss = -tf.reduce_mean(critic(maker(noise, training=True), training=True))
            grads = tape.gradient(maker_loss, maker.trainable_variables)
            maker_optimizer.apply_gradients(zip(grads, maker.trainable_variables))
            losses.append((float(critic_loss), float(maker_loss)))
    return losses


losses = train()
