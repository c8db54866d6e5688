# `shuffle` behind `repeat` mixes the epochs at their borders.
import tensorflow as tf

NUM_EPOCHS = 3
data = tf.data.Dataset.range(6)
w = tf.Variable(0, dtype=tf.int64)

for batch in data.repeat(NUM_EPOCHS).shuffle(6).batch(2):
    w.assign_add(tf.reduce_sum(batch))
for batch in data.repeat(5).shuffle(30, seed=3).batch(6):
    w.assign_add(tf.reduce_sum(batch))
assert int(w) == 8 * 15
