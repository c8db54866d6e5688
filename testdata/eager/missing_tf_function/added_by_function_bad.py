"""`tf.keras.layers.add(...)` changes no `layers`: a model keeps what its own attribute of that name holds."""

import tensorflow as tf

tf.keras.utils.set_random_seed(5)


class Stack(tf.keras.layers.Layer):
    def __init__(self, layers):
        super().__init__()
        self.layers = layers

    def call(self, inputs):
        x = inputs
        for layer in self.layers:
            x = tf.keras.layers.add([x, layer(x)])
        return x


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.stack = Stack([tf.keras.layers.Dense(3) for _ in range(2)])

    def call(self, inputs):
        return self.stack(inputs)


net = Net()
net(tf.ones([1, 3]))
optimizer = tf.keras.optimizers.SGD(0.05)
history = []


def train_step(x):
    with tf.GradientTape() as tape:
        out = net(x)
        loss = tf.reduce_mean(tf.square(out))
    gradients = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(gradients, net.trainable_variables))
    history.append(float(loss))


for step in range(20):
    train_step(tf.ones([4, 3]))
print([round(loss, 4) for loss in history[:3]])
