"""Lists that take in arrays, lists of tensors, or the few members of a small tensor, or that keep tensors whole."""

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input([8]), tf.keras.layers.Dense(1)])
data = tf.data.Dataset.from_tensor_slices(tf.random.stateless_normal([300, 8], [1, 2])).batch(100)
scores, losses, boxes, kept = [], [], [], []
for batch in data:
    outputs = model(batch)
    scores.extend(outputs[:, 0].numpy())
    losses.extend([tf.reduce_mean(outputs), tf.reduce_max(outputs)])
    kept.append(outputs)
boxes.extend(tf.constant([0.0, 1.0, 2.0, 3.0]))
print(len(scores), len(losses), len(boxes), len(kept))
