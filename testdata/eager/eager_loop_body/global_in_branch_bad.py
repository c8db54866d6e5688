"""No step spans a branch that declares a global which the rest binds: less of the body moves."""

import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices(tf.reshape(tf.range(96.0), [32, 3]) / 96.0).batch(4)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
optimizer = tf.keras.optimizers.SGD(0.01)
average = tf.constant(0.0)


def train(verbose):
    for x in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True) - 1.0))
        gradients = tape.gradient(loss, model.trainable_variables)
        if verbose:
            global average
            print("step")
        average = 0.9 * average + 0.1 * loss
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))


train(True)
print(float(average))
