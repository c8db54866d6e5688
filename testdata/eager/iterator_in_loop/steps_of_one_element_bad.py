# One element of the data set on each turn, taken apart into steps: its start is paid on each of them.
import tensorflow as tf

rows = tf.data.Dataset.range(12).batch(4).map(lambda x: tf.cast(x, tf.float32))
total = tf.Variable(0.0)


@tf.function
def step(part):
    total.assign_add(tf.reduce_sum(part * part))


turn = 0
while turn < 300:
    for row in rows.take(1):
        for part in tf.data.Dataset.from_tensor_slices(row).batch(2):
            step(part)
        turn += 1
print(total.numpy())
