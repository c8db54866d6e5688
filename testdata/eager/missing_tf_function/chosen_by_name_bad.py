"""Each name stands for a model of its own, which would make its variables on a later trace."""

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


models = {"small": Net(2), "large": Net(8)}
opts = {k: tf.keras.optimizers.SGD(0.01) for k in models}


def train(name, x, y):
    model = models[name]
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    grads = tape.gradient(loss, model.trainable_variables)
    opts[name].apply_gradients(zip(grads, model.trainable_variables))
    return loss


history = {"small": [], "large": []}
for epoch in range(3):
    for x, y in data:
        for name in models:
            history[name].append(float(train(name, x, y)))
print({k: sum(v) for k, v in history.items()}, history["large"][-1])
