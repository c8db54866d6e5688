"""A name that the turns declare global late is declared before the call that binds it."""

import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices(tf.reshape(tf.range(96.0), [32, 3]) / 96.0).batch(4)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
optimizer = tf.keras.optimizers.SGD(0.01)
average = tf.constant(0.0)


def train():
    @tf.function
    def train_step(x, average):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True) - 1.0))
        gradients = tape.gradient(loss, model.trainable_variables)
        average = 0.9 * average + 0.1 * loss
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return average

    for x in data:
        global average
        average = train_step(x, average)


train()
print(float(average))
