# Who binds a variable anew and traces the step anew with it has nothing to be told.
import tensorflow as tf

rows = tf.reshape(tf.sin(tf.range(48.0)), [16, 3])


class Trainer:
    def __init__(self):
        self.renew(0.0)

    def renew(self, start):
        self.offset = tf.Variable(tf.fill([3], start))
        self.step = tf.function(self._step)

    def _step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x - self.offset))
        self.offset.assign_sub(0.1 * tape.gradient(loss, self.offset))
        return loss

    def fit(self):
        for start in (0.0, 1.0):
            self.renew(start)
            for _ in range(50):
                for row in range(0, 16, 4):
                    loss = self.step(rows[row : row + 4])
        return loss


print(Trainer().fit().numpy())
