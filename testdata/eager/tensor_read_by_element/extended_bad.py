"""A list that takes in the members of a tensor slices it once for each."""

import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input([8]), tf.keras.layers.Dense(1)])
data = tf.data.Dataset.from_tensor_slices(tf.random.stateless_normal([300, 8], [1, 2])).batch(100)
scores = []
for batch in data:
    scores.extend(model(batch)[:, 0])
print(len(scores), float(tf.reduce_max(scores)))
