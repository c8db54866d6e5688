# What is assigned to a variable of the optimizer in front of the step is seen by its trace.
import numpy as np
import tensorflow as tf

inputs = np.linspace(-1.0, 1.0, 96, dtype=np.float32).reshape(32, 3)
targets = inputs.sum(axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((inputs, targets)).batch(8, drop_remainder=True)
weights = tf.Variable([[0.1], [0.2], [-0.1]])
optimizer = tf.keras.optimizers.SGD(0.1)
counter = 0


def rate_at(turn):
    return 0.1 if turn < 6 else 0.01


def train_epoch():
    global counter
    total = 0.0
    for x, y in data:
        optimizer.learning_rate.assign(rate_at(counter))
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.matmul(x, weights) - y))
        gradients = tape.gradient(loss, [weights])
        optimizer.apply_gradients(zip(gradients, [weights]))
        counter += 1
        total += float(loss)
    return total


totals = [train_epoch() for _ in range(3)]
final = weights.numpy()
