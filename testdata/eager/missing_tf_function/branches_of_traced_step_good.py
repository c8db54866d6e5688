# Functions that are handed to `tf.cond`, `tf.while_loop` and a custom gradient in a traced step.
import tensorflow as tf

weights = tf.Variable(tf.ones([3, 1]))
scale = tf.Variable(64.0)


@tf.custom_gradient
def clipped(x):
    def backward(upstream):
        bounded = tf.clip_by_norm(upstream, 1.0)
        return tf.where(tf.math.is_finite(bounded), bounded, tf.zeros_like(bounded))

    return tf.identity(x), backward


def moved(gradient):
    length = tf.norm(gradient)
    change = tf.tanh(gradient / tf.maximum(length, 1.0)) * 0.1
    weights.assign_sub(change + 0.01 * tf.sin(change) * tf.cos(change))
    return tf.constant(True)


def skipped():
    scale.assign(scale / 2.0)
    return tf.constant(False)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(clipped(x @ weights) - y)) * scale
    gradient = tape.gradient(loss, weights) / scale
    return tf.cond(tf.norm(gradient) < 3.0, lambda: moved(gradient), skipped)


for step in range(10):
    went = train_step(tf.ones([4, 3]), tf.zeros([4, 1]))
print(bool(went))
