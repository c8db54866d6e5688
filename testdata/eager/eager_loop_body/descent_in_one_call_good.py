# The whole descent, tape and all, is one traced method; AutoGraph makes a loop of it.
import tensorflow as tf


class Line(tf.Module):
    def __init__(self, rate):
        super().__init__()
        self.w = tf.Variable(tf.zeros(2))
        self.b = tf.Variable(0.0)
        self.rate = rate

    @tf.function
    def fit(self, x, y, turns):
        loss = tf.constant(0.0)
        for _ in tf.range(turns):
            with tf.GradientTape() as tape:
                residual = tf.linalg.matvec(x, self.w) + self.b - y
                loss = tf.reduce_mean(residual**2)
            dw, db = tape.gradient(loss, [self.w, self.b])
            self.w.assign_sub(self.rate * dw)
            self.b.assign_sub(self.rate * db)
        return loss


line = Line(0.05)
x = tf.constant([[1.0, 2.0], [2.0, 0.5], [0.0, 1.0]])
y = tf.constant([1.0, 2.0, 3.0])
for round_ in range(4):
    loss = line.fit(x, y, tf.constant(10))
    print(round_, line.w.shape)
final = float(loss)
