"""A metric that each run makes, and each epoch makes anew."""

import tensorflow as tf

tf.keras.utils.set_random_seed(2)
x = tf.random.normal([64, 4])
y = tf.reduce_sum(x, axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05)

losses = []


@tf.function
def train_step(features, labels):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(features, training=True) - labels) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for run in range(3):
    mean = tf.keras.metrics.Mean()
    for epoch in range(2):
        mean = tf.keras.metrics.Mean()
        for features, labels in data:
            loss = train_step(features, labels)
            mean.update_state(loss)
        losses.append(float(mean.result()))
    losses.append(float(mean.result()))
