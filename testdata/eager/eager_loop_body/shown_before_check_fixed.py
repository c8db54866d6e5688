"""A line is shown before a check that may raise: behind the step it would be lost with it."""

import tensorflow as tf

tf.keras.utils.set_random_seed(8)

slope = tf.Variable([[0.5], [-0.25], [1.0]])
optimizer = tf.keras.optimizers.SGD(0.05)
optimizer.build([slope])
points = tf.random.normal([32, 3])
truth = points @ tf.constant([[1.0], [2.0], [-1.0]])


@tf.function
def train_step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(points @ slope - truth))
    gradients = tape.gradient(loss, [slope])
    tf.debugging.assert_less(loss, 100.0)
    optimizer.apply_gradients(zip(gradients, [slope]))
    return loss


for step in range(40):
    loss = train_step()
    print(f"{float(loss):.4f}")
