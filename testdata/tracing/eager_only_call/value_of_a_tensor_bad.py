# Values that steps compute are none while tracing: in a test and in what is returned.
# intent: correcting
import tensorflow as tf

weights = tf.Variable(tf.ones([3, 1]))
history = []


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ weights - y))
    gradient = tape.gradient(loss, weights)
    if gradient.numpy().max() > 10.0:
        gradient = gradient / 10.0
    weights.assign_sub(0.1 * gradient)
    return loss.numpy()


history.append(train_step(tf.ones([4, 3]), tf.zeros([4, 1])))
