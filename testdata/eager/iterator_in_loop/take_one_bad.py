# `take(1)` and iterators set up the pipeline each turn; shuffled, or in an expression: not moved.
import tensorflow as tf

data = tf.data.Dataset.range(100).shuffle(100, seed=3).batch(8)
sums = []
for step in range(50):
    for batch in data.take(1):
        sums.append(tf.reduce_sum(batch))
for step in range(50):
    batch = next(data.as_numpy_iterator())
    sums.append(batch.sum())

rows = tf.data.Dataset.range(100)
rows = rows.repeat()
rows = rows.batch(8)
for step in range(50):
    sums.append(tf.reduce_sum(next(iter(rows))))
