"""Logistic regression as a tf.Module with a fit of its own, on arrays that NumPy slices."""
import numpy as np
import tensorflow as tf

EPOCHS = 3


class LogisticRegression(tf.Module):
    def __init__(self, features, rate=0.1, penalty=1e-3):
        super().__init__()
        self.w = tf.Variable(tf.zeros([features, 1]))
        self.b = tf.Variable(0.0)
        self.rate = rate
        self.penalty = penalty

    def __call__(self, x):
        return tf.sigmoid(x @ self.w + self.b)

    def train_batch(self, x, y):
        with tf.GradientTape() as tape:
            p = tf.clip_by_value(self(x), 1e-6, 1 - 1e-6)
            loss = -tf.reduce_mean(y * tf.math.log(p) + (1 - y) * tf.math.log(1 - p))
            loss += self.penalty * tf.reduce_sum(self.w ** 2)
        dw, db = tape.gradient(loss, [self.w, self.b])
        self.w.assign_sub(self.rate * dw)
        self.b.assign_sub(self.rate * db)
        return loss

    def fit(self, x, y, epochs, batch_size=50):
        losses = []
        for epoch in range(epochs):
            for start in range(0, 500, batch_size):
                batch = slice(start, start + batch_size)
                losses.append(self.train_batch(tf.constant(x[batch]), tf.constant(y[batch])))
        return [float(loss) for loss in losses]


rng = np.random.default_rng(3)
rows = rng.normal(size=(500, 20)).astype("float32")
answers = (rows[:, :1] - rows[:, 1:2] > 0).astype("float32")
model = LogisticRegression(20)
history = model.fit(rows, answers, EPOCHS)
print(history[-1])
