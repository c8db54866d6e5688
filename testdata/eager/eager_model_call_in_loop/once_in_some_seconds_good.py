# What a clock lets through, and then is set anew, is not reached on each turn; nor do ten turns pay.
import time

import tensorflow as tf

tf.keras.utils.set_random_seed(2)
generator = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(3)])
noise = tf.random.normal([4, 2], seed=3)


@tf.function
def train_step(real):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(generator(noise) - real))
    gradients = tape.gradient(loss, generator.trainable_variables)
    for variable, gradient in zip(generator.trainable_variables, gradients):
        variable.assign_sub(0.1 * gradient)


last_shown = time.time()
for step in range(100):
    train_step(tf.ones([4, 3]))
    now = time.time()
    elapsed = now - last_shown
    if elapsed > 3600.0:
        last_shown = now
        print(generator(noise, training=False))

for _ in range(10):
    generator(noise, training=True)
print(len(generator.trainable_variables))
