# A model with a `call` of its own is given vectors and matrices: a relaxed trace would know no rank of them.
import tensorflow as tf

series = tf.random.stateless_normal([40], seed=[1, 2])
table = tf.reshape(series, [20, 2])


class Damped(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.readout = tf.keras.layers.Dense(2)

    def call(self, inputs):
        return tf.tanh(tf.nn.l2_normalize(inputs))


model = Damped()
found = []
for turn in range(40):
    found.append(model(series))
    found.append(model(table))
