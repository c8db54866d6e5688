# A sum and a list over all epochs are read behind the outer loop, where they end.
# types: loose
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
features = tf.random.normal([64, 6])
labels = tf.cast(tf.reduce_sum(features[:, :2], axis=1) > 0.0, tf.int64)
dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(8)
model = tf.keras.Sequential([tf.keras.Input([6]), tf.keras.layers.Dense(2)])


@tf.function
def correct_of(x, y):
    hits = tf.equal(tf.argmax(model(x), axis=1), y)
    return tf.reduce_sum(tf.cast(hits, tf.int32))


total_correct = 0
hits = []
for epoch in range(4):
    # All epochs together.
    for x, y in dataset:
        found = correct_of(x, y)
        hits.append(found.numpy())
        total_correct += found.numpy()
print(total_correct, "right")
