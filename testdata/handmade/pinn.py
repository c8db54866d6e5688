"""Physics-informed neural network for a damped oscillator.

    u'' + mu u' + k u = 0,   u(0) = 1, u'(0) = 0

k is known, the damping mu is not: it is found together with u from a few noisy measurements.
"""

import math

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1234)

ITERATIONS = 60
K = 9.0
TRUE_MU = 0.6


def exact(t):
    omega = math.sqrt(K - TRUE_MU**2 / 4)
    decay = np.exp(-TRUE_MU / 2 * t)
    return decay * (np.cos(omega * t) + TRUE_MU / (2 * omega) * np.sin(omega * t))


rng = np.random.RandomState(0)
t_data = np.sort(rng.uniform(0, 2, size=(20, 1)))
u_data = exact(t_data) + 0.01 * rng.randn(20, 1)

t_data = tf.constant(t_data, dtype=tf.float32)
u_data = tf.constant(u_data, dtype=tf.float32)
t_collocation = tf.constant(np.linspace(0, 2, 100).reshape(-1, 1), dtype=tf.float32)
t_zero = tf.zeros((1, 1))

net = tf.keras.Sequential(
    [
        tf.keras.Input((1,)),
        tf.keras.layers.Dense(24, activation="tanh"),
        tf.keras.layers.Dense(24, activation="tanh"),
        tf.keras.layers.Dense(1),
    ]
)
mu = tf.Variable(0.1, name="mu")
optimizer = tf.keras.optimizers.Adam(5e-3)
variables = net.trainable_variables + [mu]


def derivatives(t):
    with tf.GradientTape() as outer:
        outer.watch(t)
        with tf.GradientTape() as inner:
            inner.watch(t)
            u = net(t)
        u_t = inner.gradient(u, t)
    u_tt = outer.gradient(u_t, t)
    return u, u_t, u_tt


def physics_loss():
    u, u_t, u_tt = derivatives(t_collocation)
    residual = u_tt + mu * u_t + K * u
    return tf.reduce_mean(tf.square(residual))


def initial_loss():
    with tf.GradientTape() as tape0:
        tape0.watch(t_zero)
        u0 = net(t_zero)
    du0 = tape0.gradient(u0, t_zero)
    return tf.reduce_sum((u0 - 1.0) ** 2) + tf.reduce_sum(du0**2)


@tf.function
def train_step():
    with tf.GradientTape() as tape:
        data_term = tf.reduce_mean((net(t_data) - u_data) ** 2)
        physics_term = physics_loss()
        total = data_term + 0.05 * physics_term + initial_loss()
    gradients = tape.gradient(total, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    return total, physics_term


loss_history = []
mu_history = []

for it in range(ITERATIONS):
    total, physics_term = train_step()
    if it % 10 == 0:
        loss_history.append(total.numpy())
        mu_history.append(mu.numpy())
        print(f"it {it:4d}  loss {float(total):.5f}  physics {float(physics_term):.5f}")

print("mu:", round(float(mu), 4), "should be", TRUE_MU)
error = float(tf.reduce_max(tf.abs(net(t_data) - u_data)))
print(f"largest error at the measurements: {error:.4f}")
