"""Adafactor calls its variables as those that it updates; of TensorFlow's own, graphs refuse the names."""

import tensorflow as tf

xs = tf.reshape(tf.linspace(-1.0, 1.0, 64), [32, 2])
ys = tf.reduce_sum(xs, axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((xs, ys)).batch(2)
w = tf.Variable(tf.zeros([2, 1]))
optimizer = tf.keras.optimizers.Adafactor(0.1)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.build([None, 2])
of_model = tf.keras.optimizers.Adafactor(0.1)


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])
    return loss


@tf.function
def train_model(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    of_model.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for x, y in data:
    print(f"{float(train_step(x, y)):.4f}")
    train_model(x, y)
