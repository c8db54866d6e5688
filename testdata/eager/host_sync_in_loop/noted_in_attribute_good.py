# An attribute that another method asks to decide something is needed on each turn.
import tensorflow as tf

w = tf.Variable(tf.zeros([4, 1]))
xs = tf.random.stateless_normal([32, 4], seed=[1, 2])


class Solver:
    def __init__(self):
        self.current_loss, self.turn, self.history = 0.0, 0, []

    @tf.function
    def step(self):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(xs @ w - 1.0))
        w.assign_sub(0.1 * tape.gradient(loss, w))
        return loss

    def note(self):
        if self.turn % 50 == 0:
            print("turn {}: {:.4f}".format(self.turn, self.current_loss))
        self.history.append(self.current_loss)
        self.turn += 1

    def is_done(self):
        return self.current_loss < 1e-3

    def solve(self):
        for _ in range(200):
            loss = self.step()
            self.current_loss = loss.numpy()
            self.note()
            if self.is_done():
                break


solver = Solver()
solver.solve()
