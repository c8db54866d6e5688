# The project requires TensorFlow 1: whatever the file looks like, one note is all.
# tf-version: 1.15
import tensorflow as tf

weight = tf.Variable(2.0)


def step(x):
    with tf.GradientTape() as tape:
        loss = tf.square(weight * x - 1.0)
    weight.assign_sub(0.1 * tape.gradient(loss, weight))
    return loss


for x in tf.unstack(tf.linspace(0.0, 1.0, 50)):
    step(x)
