"""Gradients come from a traced function and are applied beside it, one operation after the other."""

import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)
inputs = tf.reshape(tf.sin(tf.range(240.0)), [80, 3])
data = tf.data.Dataset.from_tensor_slices((inputs, inputs[:, :1])).batch(16)


@tf.function
def grad(model, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    return loss, tape.gradient(loss, model.trainable_variables)


losses = []
for epoch in range(3):
    for step, (x, y) in enumerate(data):
        loss, gradients = grad(model, x, y)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        if step % 5 == 0:
            losses.append(float(loss))
