"""A counter that `train_step` takes to a name of its own and back is counted once; what is logged has one step for ever."""

import tensorflow as tf


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)
        self.step = 0
        self.turn = 0
        self.writer = tf.summary.create_noop_writer()

    def call(self, x):
        return self.dense(x)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(x) - y))
        step = self.step
        with self.writer.as_default():
            tf.summary.scalar("loss", loss, step=step)
        step += 1
        self.step = step
        self.turn = self.turn + 1
        rate = loss * (1 - self.turn / 100)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": rate}


net = Net()
net.compile("sgd")
net.fit(tf.ones([100, 3]), tf.ones([100, 1]))
