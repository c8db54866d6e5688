"""A function that applies what a traced one gives: the update is the slow half of the step."""

import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)
inputs = tf.reshape(tf.sin(tf.range(240.0)), [80, 3])
data = tf.data.Dataset.from_tensor_slices((inputs, inputs[:, :1])).batch(16)


@tf.function
def gradients_of(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    return loss, tape.gradient(loss, model.trainable_variables)


@tf.function
def train_step(x, y):
    loss, gradients = gradients_of(x, y)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


losses = []
for epoch in range(3):
    for x, y in data:
        loss = train_step(x, y)
    losses.append(float(loss))
