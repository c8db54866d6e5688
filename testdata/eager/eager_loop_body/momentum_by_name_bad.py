"""A setting of the optimizer that `setattr` sets in each epoch."""

import tensorflow as tf

tf.keras.utils.set_random_seed(2)
x = tf.random.normal([64, 4])
y = tf.reduce_sum(x, axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05, momentum=0.5)

losses = []
for epoch in range(4):
    for features, labels in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(features, training=True) - labels) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    setattr(optimizer, "momentum", 0.9 if epoch % 2 else 0.0)
    losses.append(float(loss))
