# What a traced step calls and the loop of another method runs as well, op by op, is eager there.
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

    def refine(self, steps):
        history = []
        for _ in range(steps):
            loss, grad = self.grad(xs)
            history.append(loss)
            self.w.assign_sub(0.01 * grad)
        return history


solver = Solver()
first = solver.solve(50)
history = solver.refine(200)
