# A step that is a number where the model is built, and a variable in the loop, of which a trace makes no
# `float`.
import tensorflow as tf


def faded(x, step, total):
    share = float(step + 1) / float(total)
    return x * share if share < 1.0 else x


class Network(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(10)

    def call(self, x, step=None):
        return faded(self.dense(x), step, 1000)


def train(rows, model, optimizer, step):
    for x, y in rows:
        step.assign_add(1)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, step) - y))
        weights = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))


pairs = (tf.zeros([640, 10]), tf.zeros([640, 10]))
rows = tf.data.Dataset.from_tensor_slices(pairs).batch(32)
model = Network()
model(tf.zeros([32, 10]), step=1)
train(rows, model, tf.keras.optimizers.SGD(0.1), tf.Variable(0, dtype=tf.int32))
