# What a traced step calls and a loop of another driver runs as well, op by op, is eager there.
import numpy as np
import scipy.optimize
import tensorflow as tf

tf.keras.utils.set_random_seed(5)
xs = tf.random.stateless_normal([16, 4], seed=[1, 2])


class Solver:
    def __init__(self):
        self.w = tf.Variable(tf.zeros([4, 1]))
        self.optimizer = tf.keras.optimizers.SGD(0.1)

    @tf.function
    def grad(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ self.w - 1.0))
        return loss, tape.gradient(loss, self.w)

    def solve(self, steps):
        @tf.function
        def train_step():
            loss, grad = self.grad(xs)
            self.optimizer.apply_gradients([(grad, self.w)])
            return loss

        for _ in range(steps):
            loss = train_step()
        return loss

    def solve_by_scipy(self):
        def value_and_grad(flat):
            self.w.assign(tf.cast(tf.reshape(flat, [4, 1]), tf.float32))
            loss, grad = self.grad(xs)
            return loss.numpy().astype(np.float64), grad.numpy().astype(np.float64).ravel()

        return scipy.optimize.minimize(value_and_grad, np.zeros(4), jac=True, method="L-BFGS-B")


solver = Solver()
first = solver.solve(50)
result = solver.solve_by_scipy()
print(np.round(result.x, 1).tolist())
