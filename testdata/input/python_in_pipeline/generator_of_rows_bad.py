# The generator yields row by row, under the lock that the training loop needs.
import tensorflow as tf

w = tf.Variable(tf.zeros([3]))
samples = [([1.0, 2.0, float(i)], float(i)) for i in range(9)]


def generate():
    yield from samples


def dataset(batch_size):
    spec = (tf.TensorSpec([3], tf.float32), tf.TensorSpec([], tf.float32))
    rows = tf.data.Dataset.from_generator(generate, output_signature=spec)
    return rows.batch(batch_size).prefetch(2)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.linalg.matvec(x, w) - y))
    w.assign_sub(0.01 * tape.gradient(loss, w))


for epoch in range(3):
    for x, y in dataset(3):
        train_step(x, y)
