# What the step reads is bound in its loop by a match and by an import: a trace would keep the first of it.
import tensorflow as tf

weights = tf.Variable([[1.0], [2.0], [3.0]])
data = tf.data.Dataset.from_tensor_slices(tf.reshape(tf.range(60.0), [20, 3]) / 60.0).batch(2)
rate = 1.0


@tf.function
def update_weights(x, rate):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ weights - rate))
    weights.assign_sub(0.1 * tape.gradient(loss, weights))
    return loss


for turn, x in enumerate(data):
    match {"rate": float(turn)}:
        case {"rate": rate}:
            pass
    loss = update_weights(x, tf.constant(rate, tf.float32))
print(float(loss), weights.numpy().ravel())

wanted = 1.0


@tf.function
def update_weights_2(x, wanted):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ weights - wanted))
    weights.assign_sub(0.1 * tape.gradient(loss, weights))
    return loss


for turn, x in enumerate(data):
    if turn == 2:
        from math import pi as wanted
    loss = update_weights_2(x, tf.constant(wanted, tf.float32))
print(float(loss), weights.numpy().ravel())
