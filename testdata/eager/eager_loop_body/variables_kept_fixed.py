"""The loop hands its variables on, which a trace would return as tensors."""

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
seen = []
traced_model = tf.function(model, reduce_retracing=True)
for epoch in range(3):
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(traced_model(x) - y))
        variables = model.trainable_variables
        grads = tape.gradient(loss, variables)
        for v, g in zip(variables, grads):
            v.assign_sub(0.01 * g)
        seen.append(len(variables))
print(float(loss), sum(seen), variables[0].name, [type(v).__name__ for v in variables][:1])
