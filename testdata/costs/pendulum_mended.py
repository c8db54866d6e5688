"""Many pendulums at once, integrated by the classical Runge-Kutta method."""
import tensorflow as tf

RUNS = 3
DT = 0.01

start = tf.random.normal([200, 2], seed=3)


def slope(state):
    angle, speed = state[:, 0], state[:, 1]
    return tf.stack([speed, -9.81 * tf.sin(angle) - 0.1 * speed], axis=1)


@tf.function
def advance(state):
    first = slope(state)
    second = slope(state + 0.5 * DT * first)
    third = slope(state + 0.5 * DT * second)
    fourth = slope(state + DT * third)
    return state + DT / 6.0 * (first + 2.0 * second + 2.0 * third + fourth)


for run in range(RUNS):
    state = start
    for step in range(50):
        state = advance(state)
