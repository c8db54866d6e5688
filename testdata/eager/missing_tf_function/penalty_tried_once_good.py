"""A penalty that a traced step asks for on each turn, and a line below runs once to look at it, is no eager step."""

import tensorflow as tf

critic = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(1e-3)


def gradient_penalty(real, fake):
    mixed = 0.5 * real + 0.5 * fake
    with tf.GradientTape() as tape:
        tape.watch(mixed)
        scores = critic(mixed)
    slopes = tf.sqrt(tf.reduce_sum(tf.square(tape.gradient(scores, mixed)), axis=1))
    return tf.reduce_mean(tf.square(slopes - 1.0))


@tf.function
def train_step(real, fake):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(critic(fake) - critic(real)) + 10.0 * gradient_penalty(real, fake)
    gradients = tape.gradient(loss, critic.trainable_variables)
    optimizer.apply_gradients(zip(gradients, critic.trainable_variables))
    return loss


print(gradient_penalty(tf.ones([2, 4]), tf.zeros([2, 4])))
for turn in range(400):
    real = tf.random.normal([32, 4])
    loss = train_step(real, tf.random.normal([32, 4]))
print(loss)
