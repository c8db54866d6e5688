"""All of a step stands below its tape, and Python's numbers are returned: the block moves."""

import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
steps = tf.Variable(0, dtype=tf.int64)
inputs = tf.reshape(tf.sin(tf.range(192.0)), [64, 3])
data = tf.data.Dataset.from_tensor_slices((inputs, inputs[:, :1])).batch(16)


@tf.function
def _train_step(x, y):
    with tf.GradientTape() as tape:
        prediction = model(x, training=True)
        loss = tf.reduce_mean(tf.square(prediction - y))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        steps.assign_add(1)
    return loss


def train_step(x, y):
    loss = _train_step(x, y)
    return int(steps.numpy()), float(loss.numpy())


results = []
for epoch in range(3):
    for x, y in data:
        results.append(train_step(x, y))
