"""Learn the vector field of a spiral from one trajectory (neural ODE, RK4 by hand)."""

import numpy as np
import tensorflow as tf

tf.keras.backend.set_floatx("float64")

ITERS = 12
DT = 0.1
HORIZON = 10
BATCH = 16
TRUE_A = tf.constant([[-0.1, 2.0], [-2.0, -0.1]], dtype=tf.float64)


def rk4_step(f, y, dt):
    k1 = f(y)
    k2 = f(y + 0.5 * dt * k1)
    k3 = f(y + 0.5 * dt * k2)
    k4 = f(y + dt * k3)
    return y + dt / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4)


def odeint(f, y0, steps, dt):
    ys = [y0]
    y = y0
    for _ in range(steps):
        y = rk4_step(f, y, dt)
        ys.append(y)
    return tf.stack(ys)


def true_field(y):
    return tf.matmul(y**3, TRUE_A)


class ODEFunc(tf.Module):
    def __init__(self, hidden=24, seed=0):
        super().__init__()
        rng = np.random.RandomState(seed)
        self.w1 = tf.Variable(0.3 * rng.randn(2, hidden))
        self.b1 = tf.Variable(np.zeros(hidden))
        self.w2 = tf.Variable(0.3 * rng.randn(hidden, 2))
        self.b2 = tf.Variable(np.zeros(2))

    def __call__(self, y):
        h = tf.tanh(y**3 @ self.w1 + self.b1)
        return h @ self.w2 + self.b2


def get_batch(trajectory, rng):
    starts = rng.choice(len(trajectory) - HORIZON, BATCH, replace=False)
    y0 = trajectory[starts]
    target = np.stack([trajectory[starts + i] for i in range(HORIZON + 1)])
    return tf.constant(y0), tf.constant(target)


@tf.function(
    input_signature=[
        tf.TensorSpec([BATCH, 2], tf.float64),
        tf.TensorSpec([HORIZON + 1, BATCH, 2], tf.float64),
    ]
)
def train_step(batch_y0, batch_y):
    with tf.GradientTape() as tape:
        pred_y = odeint(func, batch_y0, HORIZON, DT)
        loss = tf.reduce_mean(tf.abs(pred_y - batch_y))
    grads = tape.gradient(loss, func.trainable_variables)
    optimizer.apply_gradients(zip(grads, func.trainable_variables))
    return loss


true_trajectory = odeint(true_field, tf.constant([[2.0, 0.0]], dtype=tf.float64), 60, DT)
true_trajectory = true_trajectory.numpy()[:, 0]

func = ODEFunc()
optimizer = tf.keras.optimizers.RMSprop(learning_rate=5e-3)
rng = np.random.RandomState(3)
running = None
best = np.inf

for itr in range(ITERS):
    batch_y0, batch_y = get_batch(true_trajectory, rng)
    loss = train_step(batch_y0, batch_y)

    if running is None:
        running = float(loss)
    running = 0.9 * running + 0.1 * float(loss)
    best = min(best, running)
    if itr % 4 == 3:
        print("Iter {:03d} | loss {:.6f} | running {:.6f}".format(itr + 1, loss.numpy(), running))

prediction = odeint(func, tf.constant([[2.0, 0.0]], dtype=tf.float64), 20, DT)
final_error = np.abs(prediction.numpy()[:, 0] - true_trajectory[:21]).mean()
print("error over the first 20 steps: %.4f" % final_error)
