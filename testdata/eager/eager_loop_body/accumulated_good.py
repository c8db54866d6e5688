"""Gradients of a traced function that are gathered and applied now and then: no step of each turn."""

import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)
inputs = tf.reshape(tf.sin(tf.range(960.0)), [320, 3])
data = tf.data.Dataset.from_tensor_slices((inputs, inputs[:, :1])).batch(16)


@tf.function
def gather(sums, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    return [total + gradient for total, gradient in zip(sums, gradients)]


sums = [tf.zeros_like(v) for v in model.trainable_variables]
for step, (x, y) in enumerate(data):
    sums = gather(sums, x, y)
    if step % 10 == 9:
        optimizer.apply_gradients(zip(sums, model.trainable_variables))
        sums = [tf.zeros_like(v) for v in model.trainable_variables]
weights = [v.numpy() for v in model.trainable_variables]
