# Arrays that a generator yields are cast by dtype at the call: eager casts them, arguments don't.
import numpy as np
import tensorflow as tf

weights = tf.Variable(tf.zeros([3, 1]))
optimizer = tf.keras.optimizers.SGD(0.1)


def stream(count):
    source = np.random.RandomState(3)
    for _ in range(count):
        rows = source.randn(8, 3)
        yield tf.constant(rows, tf.float32), rows.sum(axis=1, keepdims=True)


for x, y in stream(40):
    with tf.GradientTape() as tape:
        # Eagerly, the float64 array is cast to what it meets; as an argument it would not be.
        loss = tf.reduce_mean(tf.square(tf.matmul(x, weights) - y))
    gradients = tape.gradient(loss, [weights])
    optimizer.apply_gradients(zip(gradients, [weights]))

final = weights.numpy()
