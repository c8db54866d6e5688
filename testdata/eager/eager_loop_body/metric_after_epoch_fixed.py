"""A metric that each epoch leaves behind is no reason to trace the step anew in each."""

import tensorflow as tf

tf.keras.utils.set_random_seed(4)
model = tf.keras.Sequential([tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)
inputs = tf.random.stateless_normal((16, 3), (4, 1))
dataset = tf.data.Dataset.from_tensor_slices(inputs).batch(4)

mean_loss = tf.keras.metrics.Mean()
seen = []


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - 1.0))
    gradients = tape.gradient(loss, model.trainable_variables)
    return loss, gradients


for epoch in range(4):
    for x in dataset:
        loss, gradients = train_step(x)
        mean_loss.update_state(loss)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    seen.append(mean_loss)
    mean_loss = tf.keras.metrics.Mean()

print([round(float(metric.result()), 4) for metric in seen])
