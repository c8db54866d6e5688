# A target before `reduce_retracing`: the fix uses the name that this TensorFlow has.
# tf-version: 2.5
import tensorflow as tf

critic = tf.keras.Sequential()
critic.add(tf.keras.Input([4]))
critic.add(tf.keras.layers.Dense(8, activation="tanh", kernel_initializer="ones"))
critic.add(tf.keras.layers.Dense(1, kernel_initializer="ones"))
traced_critic = tf.function(critic, experimental_relax_shapes=True)


def value(state):
    return float(traced_critic(state[None], training=False)[0, 0])


total = 0.0
state = tf.linspace(0.0, 1.0, 4)
for step in range(60):
    total += value(state)
    state = 0.99 * tf.roll(state, 1, 0)
print(total)
