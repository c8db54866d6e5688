"""Short reviews as good or bad: an embedding, a custom loop and several metrics."""
import numpy as np
import tensorflow as tf

EPOCHS = 3
BATCH_SIZE = 32
MAX_WORDS = 1000

rng = np.random.default_rng(3)
x_train = rng.integers(MAX_WORDS, size=(256, 40))
y_train = rng.integers(2, size=(256, 1)).astype("float32")
x_val = rng.integers(MAX_WORDS, size=(128, 40))
y_val = rng.integers(2, size=(128, 1)).astype("float32")

train_dataset = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(256).batch(BATCH_SIZE)
val_dataset = tf.data.Dataset.from_tensor_slices((x_val, y_val)).batch(BATCH_SIZE)

model = tf.keras.Sequential([
    tf.keras.Input((40,), dtype="int64"),
    tf.keras.layers.Embedding(MAX_WORDS, 16),
    tf.keras.layers.Dropout(0.2),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(16, activation="relu"),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
optimizer = tf.keras.optimizers.Adam()
loss_fn = tf.keras.losses.BinaryCrossentropy()
train_acc = tf.keras.metrics.BinaryAccuracy()
val_acc = tf.keras.metrics.BinaryAccuracy()
val_precision = tf.keras.metrics.Precision()
val_recall = tf.keras.metrics.Recall()


@tf.function
def train_step(x_batch, y_batch):
    with tf.GradientTape() as tape:
        probabilities = model(x_batch, training=True)
        loss_value = loss_fn(y_batch, probabilities)
    grads = tape.gradient(loss_value, model.trainable_weights)
    optimizer.apply_gradients(zip(grads, model.trainable_weights))
    train_acc.update_state(y_batch, probabilities)


@tf.function
def validate(x_batch, y_batch):
    probabilities = model(x_batch, training=False)
    val_acc.update_state(y_batch, probabilities)
    val_precision.update_state(y_batch, probabilities)
    val_recall.update_state(y_batch, probabilities)


for epoch in range(EPOCHS):
    for x_batch, y_batch in train_dataset:
        train_step(x_batch, y_batch)
    print("train accuracy", float(train_acc.result()))
    train_acc.reset_state()

    for x_batch, y_batch in val_dataset:
        validate(x_batch, y_batch)
    print("validation", float(val_acc.result()), float(val_precision.result()))
