"""Numbers that Python makes of the prediction below the tape are made behind the step."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
inputs = tf.reshape(tf.sin(tf.range(192.0)), [64, 3])
data = tf.data.Dataset.from_tensor_slices((inputs, inputs[:, :1])).batch(16)
mean = tf.keras.metrics.MeanAbsoluteError()

errors, history = [], []


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        prediction = model(x, training=True)
        mean.update_state(y, prediction)
        loss = tf.reduce_mean(tf.square(prediction - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return prediction


for epoch in range(3):
    for x, y in data:
        prediction = train_step(x, y)
        error = np.abs(prediction.numpy() - y.numpy()).mean()
        doubled = 2 * error
        errors.append(round(float(doubled), 4))
    history.append(float(mean.result()))
    mean.reset_state()
