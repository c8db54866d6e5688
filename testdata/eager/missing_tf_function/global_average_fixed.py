"""The step keeps a moving average in a global, which goes in and out of what is traced."""

import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices(tf.reshape(tf.range(96.0), [32, 3]) / 96.0).batch(4)


def build():
    return tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])


model = build()
optimizer = tf.keras.optimizers.SGD(0.01)
average = tf.constant(0.0)


@tf.function
def _train_step(x, average):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - 1.0))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    average = 0.9 * average + 0.1 * loss
    return loss, average


def train_step(x):
    global average
    loss, average = _train_step(x, average)
    return loss


for _ in range(3):
    for x in data:
        loss = train_step(x)
print(float(loss), float(average))
