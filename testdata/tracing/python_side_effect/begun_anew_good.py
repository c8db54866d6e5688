# Mechanism: what each trace sets first lasts for the trace, and a number that only names things computes nothing.
import tensorflow as tf


class Steps(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.count = 0
        self.turns = 0

    def call(self, x):
        self.h = tf.zeros_like(x)
        self.turns = 0
        for _ in range(3):
            self.turns += 1
            self.h = tf.tanh(x + self.h) / (x * self.turns + 1.0)
        self.count += 1
        with tf.name_scope(f"step{self.count}"):
            return tf.identity(self.h)


model = tf.keras.Sequential([Steps(), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(tf.ones([64, 2]), tf.ones([64, 1]))
