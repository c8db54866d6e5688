# What the traced step is given comes from no batch of the loop: its shape stays.
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
w = tf.Variable(tf.ones([3, 1]))
PROBES = tf.reshape(tf.cos(tf.range(12.0)), (4, 3))
seen = []


@tf.function
def update(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - 1.0))
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss


def handle(batch):
    seen.append(batch.shape[0])
    return update(PROBES)


for batch in tf.data.Dataset.from_tensor_slices(tf.ones([20, 3])).batch(8):
    loss = handle(batch)
