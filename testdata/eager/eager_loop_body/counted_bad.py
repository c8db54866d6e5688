# Totals in Python stay in the loop; what they and a rare print read goes out of the step.
import numpy as np
import tensorflow as tf

tf.random.set_seed(4)
values = np.random.default_rng(1).normal(size=[96, 3]).astype(np.float32)
labels = (values.sum(axis=1) > 0.0).astype(np.int64)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])
batches = tf.data.Dataset.from_tensor_slices((values, labels)).batch(8)

right, total = 0, 0
for x, y in batches:
    x = tf.nn.l2_normalize(x, axis=1)
    guessed = tf.argmax(model(x), axis=1)
    # True where the guess is right
    is_right = tf.cast(tf.equal(guessed, y), tf.float32)
    is_sure = tf.reduce_max(tf.nn.softmax(model(x)), axis=1)
    right += float(tf.reduce_sum(is_right))
    total += x.shape[0]
    if total == 48:
        print(f"{float(tf.reduce_mean(is_sure)):.3f} sure")
accuracy = right / total
