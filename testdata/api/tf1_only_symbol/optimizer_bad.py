# An old optimizer works in a traced step of TensorFlow 2, by way of `compat.v1`.
# intent: correcting
import tensorflow as tf

w = tf.Variable([1.0, 2.0])
optimizer = tf.train.GradientDescentOptimizer(0.1)


@tf.function
def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(w))
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])
    return loss


first, second = step(), step()
