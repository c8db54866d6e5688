"""The pairs of gradients and variables are read after the loop: a trace would return tensors."""

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


model = Net()
opt = tf.keras.optimizers.SGD(0.01)
best = {}
traced_model = tf.function(model, reduce_retracing=True)
for epoch in range(3):
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(traced_model(x) - y))
        weights = model.trainable_weights
        pairs = list(zip(tape.gradient(loss, weights), weights))
        opt.apply_gradients(pairs)
    best[epoch] = {v.path: float(tf.norm(g)) for g, v in pairs}
print(float(loss), best)
