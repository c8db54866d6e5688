# Two gradients from one tape: it has been used up by the first, so it must be persistent.
# intent: correcting
import tensorflow as tf

generator = tf.Variable([1.0, 2.0])
critic = tf.Variable([0.5, -0.5])


def train_step(noise):
    with tf.GradientTape(persistent=True) as tape:
        fake = generator * noise
        score = tf.reduce_sum(critic * fake)
        generator_loss = -score
        critic_loss = score + 0.1 * tf.reduce_sum(tf.square(critic))
    generator_gradient = tape.gradient(generator_loss, generator)
    critic_gradient = tape.gradient(critic_loss, critic)
    generator.assign_sub(0.1 * generator_gradient)
    critic.assign_sub(0.1 * critic_gradient)
    return generator_loss


loss = train_step(tf.constant([0.3, 0.7]))
