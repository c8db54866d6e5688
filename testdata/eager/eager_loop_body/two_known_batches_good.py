# The size of the data and of the batches is written out: two turns in all.
import tensorflow as tf

offset = tf.Variable([[1.0], [2.0]])
batches = tf.data.Dataset.from_tensor_slices(tf.ones([24, 2])).shuffle(24, seed=1).batch(12)
errors = []
for number, batch in enumerate(batches):
    with tf.GradientTape() as tape:
        error = tf.reduce_mean(tf.square(tf.matmul(batch, offset)))
    offset.assign_sub(0.05 * tape.gradient(error, offset))
    errors.append((number, float(error)))
