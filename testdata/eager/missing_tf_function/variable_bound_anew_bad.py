# An attribute that holds one variable after the other is state: a trace keeps the first of them.
import tensorflow as tf

rows = tf.reshape(tf.sin(tf.range(48.0)), [16, 3])
targets = tf.reduce_sum(rows, axis=1, keepdims=True)


class Trainer:
    def __init__(self):
        self.weights = tf.Variable(tf.ones([3, 1]) * 0.2)
        self.offset = tf.Variable(tf.zeros([1]))

    def step(self, x, y):
        with tf.GradientTape() as tape:
            error = x @ self.weights + self.offset - y
            loss = tf.reduce_mean(error * error)
        slopes = tape.gradient(loss, [self.weights, self.offset])
        for variable, slope in zip([self.weights, self.offset], slopes):
            variable.assign_sub(0.05 * slope)
        return loss

    def fit(self, epochs):
        for _ in range(epochs):
            for start in range(0, 16, 4):
                loss = self.step(rows[start : start + 4], targets[start : start + 4])
            self.offset = tf.Variable(tf.ones([1]))
        return loss


trainer = Trainer()
print(trainer.fit(20).numpy(), trainer.weights.numpy().ravel())
