# One of two branches drops the remainder: whether the last batch is smaller is not known.
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
w = tf.Variable(tf.ones([3, 1]))


def batches(rows, is_shuffled):
    data = tf.data.Dataset.from_tensor_slices(rows)
    if is_shuffled:
        data = data.shuffle(100, seed=3).batch(8, drop_remainder=True)
    else:
        data = data.batch(8)
    return data.prefetch(1)


@tf.function
def update(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - 1.0))
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss


ROWS = tf.reshape(tf.cos(tf.range(60.0)), (20, 3))
for x in batches(ROWS, True):
    loss = update(x)
