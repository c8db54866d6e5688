# The inner loops go through data, or call what may step: the outer ones are no steps for what those do.
import tensorflow as tf


@tf.function
def step(x):
    return tf.reduce_mean(tf.square(x))


rows = tf.data.Dataset.from_tensor_slices(tf.ones([640, 4])).batch(32)
total = tf.constant(0.0)
for epoch in range(50):
    for batch in rows:
        total = total + tf.reduce_sum(batch) * 0.5
    print(epoch, float(total))

for epoch in range(50):
    for turn in range(20):
        loss = step(tf.fill([4], float(turn)))
        total = total + loss * 0.5
    print(epoch, float(total))
