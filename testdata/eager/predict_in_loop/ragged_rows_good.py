# Ragged tensors of several rows each are batches.
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(3)])
total = 0.0
for turn in range(40):
    rows = tf.ragged.constant([[1.0, 2.0], [3.0], [4.0, 5.0, 6.0, float(turn)]])
    total += float(model.predict(rows.to_tensor(shape=[3, 4]), verbose=0).sum())
print(total)
