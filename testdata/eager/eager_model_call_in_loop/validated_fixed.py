"""The step that trains is traced, and runs the same model; the validation runs it eagerly."""

import tensorflow as tf

tf.keras.utils.set_random_seed(6)


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = tf.keras.layers.Dense(8, "tanh")
        self.outer = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.outer(self.inner(x))


net = Net()
optimizer = tf.keras.optimizers.SGD(0.01)
data = tf.data.Dataset.from_tensor_slices((tf.random.normal([64, 2]), tf.ones([64, 1]))).batch(4)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(net(x) - y))
    gradients = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(gradients, net.trainable_variables))


for x, y in data:
    train_step(x, y)
outputs = []
traced_net = tf.function(net, reduce_retracing=True)
for x, y in data:
    outputs.append(traced_net(x))
