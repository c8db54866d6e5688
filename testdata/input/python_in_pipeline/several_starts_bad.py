# One function trains on the data of several callers; the rows of one are made in Python.
import numpy as np
import tensorflow as tf

rows = np.arange(32.0, dtype=np.float32).reshape(8, 4)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)


def shifted(row):
    return row - row.min()


def made_in_python():
    data = tf.data.Dataset.from_tensor_slices(rows)
    data = data.map(lambda row: tf.ensure_shape(tf.numpy_function(shifted, [row], tf.float32), [4]))
    return data.batch(4), ["a", "b"]


def made_by_operations():
    data = tf.data.Dataset.from_tensor_slices(rows)
    return data.map(lambda row: row - tf.reduce_min(row)).batch(4), ["a", "b"]


@tf.function
def train_step(batch):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(batch, training=True)))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def train(data, epochs):
    for epoch in range(epochs):
        for batch in data:
            train_step(batch)


slow, names = made_in_python()
quick, _ = made_by_operations()
train(slow, 2)
train(quick, 3)
