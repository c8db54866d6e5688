# `compile(jit_compile=True)` compiles the `call` of the model, and that prints.
# intent: correcting
import tensorflow as tf


class Verbose(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)

    def call(self, inputs):
        outputs = self.dense(inputs)
        tf.print("mean", tf.reduce_mean(outputs))
        return outputs


model = Verbose()
model.compile("sgd", "mse", jit_compile=True)
model.fit(tf.ones([4, 2]), tf.zeros([4, 1]), verbose=0)
