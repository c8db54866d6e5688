"""The loop holds its step inline: it is eager, and first to be traced (eager-loop-body)."""

import tensorflow as tf

tf.keras.utils.set_random_seed(4)
x = tf.random.normal([45, 2])
model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
batches = tf.data.Dataset.from_tensor_slices((x, x[:, :1] * x[:, 1:])).batch(10)

for step, (features, product) in enumerate(batches):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(model(features) - product)) / features.shape[0]
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
