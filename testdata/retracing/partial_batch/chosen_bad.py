# Whichever branch makes the batches, the last one may be smaller.
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
w = tf.Variable(tf.ones([3, 1]))


class Loader:
    def __init__(self, size, is_shuffled):
        self.size = size
        self.is_shuffled = is_shuffled

    def batches(self, rows):
        data = tf.data.Dataset.from_tensor_slices(rows)
        if self.is_shuffled:
            data = data.shuffle(100, seed=3).batch(self.size)
        else:
            data = data.batch(self.size)
        return data.prefetch(1)


@tf.function
def update(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - 1.0))
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss


def main(rows, is_shuffled):
    losses = []
    for x in Loader(8, is_shuffled).batches(rows):
        losses.append(update(x))
    return tf.stack(losses)


ROWS = tf.reshape(tf.cos(tf.range(60.0)), (20, 3))
both = [main(ROWS, is_shuffled) for is_shuffled in (True, False)]
