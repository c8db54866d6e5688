# A step that only updates metrics gives nothing back, since they keep their state as variables.
import tensorflow as tf

tf.keras.utils.set_random_seed(9)
model = tf.keras.Sequential([tf.keras.Input((5,)), tf.keras.layers.Dense(3)])
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
test_loss = tf.keras.metrics.Mean(name="test_loss")
test_accuracy = tf.keras.metrics.SparseCategoricalAccuracy(name="test_accuracy")
inputs = tf.reshape(tf.sin(tf.range(200, dtype=tf.float32)), (40, 5))
labels = tf.cast(inputs[:, 0] > 0, tf.int32)
test_data = tf.data.Dataset.from_tensor_slices((inputs, labels)).batch(4)


@tf.function
def test_step(x, y):
    logits = model(x, training=False)
    test_loss.update_state(loss_fn(y, logits))
    test_accuracy.update_state(y, logits)


for x, y in test_data:
    test_step(x, y)

print("loss", float(test_loss.result()), "accuracy", float(test_accuracy.result()))
