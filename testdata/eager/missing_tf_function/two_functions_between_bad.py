"""Two networks reach the step through two functions: none of them is run once for each."""

import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices(tf.reshape(tf.range(96.0), [32, 3]) / 96.0).batch(4)


def build():
    return tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])


def train_step(model, optimizer, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - 1.0))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def run_epoch(model, optimizer):
    for x in data:
        loss = train_step(model, optimizer, x)
    return loss


def train(model, optimizer, epochs=3):
    for _ in range(epochs):
        loss = run_epoch(model, optimizer)
    return loss


def main():
    teacher = build()
    student = build()
    losses = [train(teacher, tf.keras.optimizers.Adam(0.01))]
    losses.append(train(student, tf.keras.optimizers.Adam(0.1)))
    return losses


losses = main()
print([float(loss) for loss in losses])
