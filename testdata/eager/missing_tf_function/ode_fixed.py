# A function of pure tensor arithmetic, without tape or model, is work enough to trace.
import tensorflow as tf


def derivative(state):
    return tf.stack([state[1], -tf.sin(state[0])])


@tf.function
def rk4_step(state, dt):
    k1 = derivative(state)
    k2 = derivative(state + 0.5 * dt * k1)
    k3 = derivative(state + 0.5 * dt * k2)
    k4 = derivative(state + dt * k3)
    return state + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


state = tf.constant([1.0, 0.0])
dt = tf.constant(0.05)
for _ in range(50):
    state = rk4_step(state, dt)
