"""A step whose module names all of TensorFlow below `tensorflow.compat.v1`, and runs eagerly."""

import numpy as np
import tensorflow.compat.v1 as tf

w = tf.Variable([[0.5], [-0.5]], name="w")
b = tf.Variable([0.0], name="b")


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b - y))
    gradients = tape.gradient(loss, [w, b])
    w.assign_sub(0.05 * gradients[0])
    b.assign_sub(0.05 * gradients[1])
    return loss


rng = np.random.default_rng(3)
features = rng.normal(size=(8, 16, 2)).astype("float32")
targets = features.sum(axis=-1, keepdims=True)
for epoch in range(4):
    for i in range(8):
        loss = train_step(tf.constant(features[i]), tf.constant(targets[i]))
    print(f"epoch {epoch}: {float(loss):.4f}")
