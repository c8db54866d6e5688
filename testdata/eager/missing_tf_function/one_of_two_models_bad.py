# A name that holds one of Keras' own models first, and one with code of its own later, may run that code.
import tensorflow as tf

rows = tf.reshape(tf.sin(tf.range(48.0)), [16, 3])
targets = tf.reduce_sum(rows, axis=1, keepdims=True)


class Fading(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.last = tf.keras.layers.Dense(1)

    def call(self, x):
        self.calls += 1
        return self.last(x) / (1.0 + 0.1 * self.calls)


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
print(tf.reduce_mean(model(rows)).numpy())
model = Fading()


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    slopes = tape.gradient(loss, model.trainable_variables)
    for variable, slope in zip(model.trainable_variables, slopes):
        variable.assign_sub(0.05 * slope)
    return loss


for _ in range(20):
    for start in range(0, 16, 4):
        loss = train_step(rows[start : start + 4], targets[start : start + 4])
print(loss.numpy())
