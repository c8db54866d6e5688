# A Runge-Kutta step on NumPy arrays, run in a loop: TensorFlow only takes the finished path.
import numpy as np
import tensorflow as tf


def derivative(state):
    return np.stack([state[1], -np.sin(state[0])])


def rk4_step(state, dt):
    k1 = derivative(state)
    k2 = derivative(state + 0.5 * dt * k1)
    k3 = derivative(state + 0.5 * dt * k2)
    k4 = derivative(state + dt * k3)
    return state + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


def simulate(start, dt, steps):
    path = [start]
    for _ in range(steps):
        path.append(rk4_step(path[-1], dt))
    return np.array(path, np.float32)


path = simulate(np.array([1.0, 0.0]), 0.05, 50)
windows = tf.data.Dataset.from_tensor_slices((path[:-1], path[1:])).batch(10, drop_remainder=True)
count = int(windows.cardinality())
