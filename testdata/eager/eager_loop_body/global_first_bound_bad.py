"""A global that only the turns of a loop bind comes out of the step, and is bound at its call."""

import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices(tf.reshape(tf.range(96.0), [32, 3]) / 96.0).batch(4)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
optimizer = tf.keras.optimizers.SGD(0.01)


def train():
    global newest
    for x in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True) - 1.0))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        newest = 2.0 * loss


train()
print(float(newest))
