# What prints the loss below the tape moves out behind the step, under the same test.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(5)


class Points:
    """Noisy points on a line, drawn batch by batch."""

    def __init__(self, size):
        self.rng = np.random.default_rng(5)
        self.x = self.rng.normal(size=(size, 3)).astype(np.float32)
        self.y = (self.x @ np.array([[1.0], [-2.0], [0.5]], np.float32)).astype(np.float32)

    def draw(self, count):
        rows = self.rng.integers(0, len(self.x), count)
        return self.x[rows], self.y[rows]


points = Points(200)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(8, activation='relu'),
                             tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.02)
history = []


@tf.function(reduce_retracing=True)
def train_step(x, y):
    with tf.GradientTape() as tape:
        predicted = model(x)
        loss = tf.reduce_mean(tf.square(predicted - y))
    gradients = tape.gradient(loss, model.variables)
    optimizer.apply_gradients(zip(gradients, model.variables))
    return loss


for step in range(21):
    x, y = points.draw(16)
    loss = train_step(tf.constant(x), tf.constant(y))

    # tell how it goes
    if step % 10 == 0:
        print("step %d: loss %.4f" % (step, loss.numpy()))
    history.append(float(loss))
print("mean of the losses: %.4f" % np.mean(history))
