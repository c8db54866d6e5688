"""Short texts, good or bad, by a GRU; loss and accuracy are shown after each pass."""
import tensorflow as tf
from tensorflow.keras import layers

PASSES = 2
words = tf.random.uniform([96, 12], maxval=50, dtype=tf.int32)
labels = tf.cast(tf.reduce_sum(words, axis=1) > 290, tf.float32)[:, None]
data = tf.data.Dataset.from_tensor_slices((words, labels)).shuffle(96).batch(12)

model = tf.keras.Sequential([
    layers.Embedding(50, 16),
    layers.GRU(16),
    layers.Dense(8, activation="relu"),
    layers.Dense(1),
])
loss_object = tf.keras.losses.BinaryCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam()
train_loss = tf.keras.metrics.Mean(name="loss")
train_accuracy = tf.keras.metrics.BinaryAccuracy(threshold=0.0)


@tf.function
def run_batch(x, y):
    with tf.GradientTape() as tape:
        predictions = model(x, training=True)
        loss = loss_object(y, predictions)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    train_loss(loss)
    train_accuracy(y, predictions)


for number in range(PASSES):
    train_loss.reset_state()
    train_accuracy.reset_state()
    for x, y in data:
        run_batch(x, y)
    print(f"{number}: {train_loss.result():.3f} {train_accuracy.result():.3f}")
