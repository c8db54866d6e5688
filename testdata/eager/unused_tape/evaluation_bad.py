# A tape copied from training: the block is dedented, and the text of its string stays.
import tensorflow as tf

w = tf.Variable([[1.0], [2.0]])
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
y = tf.constant([[1.0], [2.0]])


def train_step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - y))
    w.assign_sub(0.01 * tape.gradient(loss, w))
    return loss


def validate():
    # The loss that training minimises.
    with tf.GradientTape() as tape:  # a copy of train_step
        # On the same examples.
        prediction = x @ w
        if prediction.shape[0] > 1:
            name = """several
        rows"""

        loss = tf.reduce_mean(tf.square(prediction - y))  # per example
    return loss, name


for step in range(3):
    train_step()
loss, name = validate()
