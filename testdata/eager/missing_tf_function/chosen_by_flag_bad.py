"""The flag says which of two models learns: the second would make its variables on a later trace."""

import tensorflow as tf

features = tf.reshape(tf.sin(tf.range(192.0)), [64, 3])
labels = tf.reduce_sum(features, axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((features, labels)).batch(8)


class Net(tf.keras.Model):
    def __init__(self, units=4):
        super().__init__()
        self.a = tf.keras.layers.Dense(units, activation="tanh", kernel_initializer="ones")
        self.b = tf.keras.layers.Dense(1, kernel_initializer="ones")

    def call(self, x):
        return self.b(self.a(x))


a, b = Net(2), Net(3)
oa, ob = tf.keras.optimizers.Adam(0.01), tf.keras.optimizers.Adam(0.02)


def step(x, y, first=True):
    net, opt = (a, oa) if first else (b, ob)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(net(x) - y))
    g = tape.gradient(loss, net.trainable_variables)
    opt.apply_gradients(zip(g, net.trainable_variables))
    return loss


for x, y in data.repeat(3):
    p = step(x, y)
    q = step(x, y, first=False)
print(float(p), float(q))
