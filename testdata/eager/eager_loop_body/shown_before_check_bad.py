"""A line is shown before a check that may raise: behind the step it would be lost with it."""

import tensorflow as tf

tf.keras.utils.set_random_seed(8)

slope = tf.Variable([[0.5], [-0.25], [1.0]])
optimizer = tf.keras.optimizers.SGD(0.05)
optimizer.build([slope])
points = tf.random.normal([32, 3])
truth = points @ tf.constant([[1.0], [2.0], [-1.0]])

for step in range(40):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(points @ slope - truth))
    gradients = tape.gradient(loss, [slope])
    print(f"{float(loss):.4f}")
    tf.debugging.assert_less(loss, 100.0)
    optimizer.apply_gradients(zip(gradients, [slope]))
