# Classify points of two noisy spirals with a small dense network.
# Training loop written by hand instead of model.fit, to see what happens inside.
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

tf.random.set_seed(42)

EPOCHS = 4
BATCH_SIZE = 32
LEARNING_RATE = 0.01


def make_spirals(n, noise=0.15, seed=0):
    rng = np.random.RandomState(seed)
    label = rng.randint(0, 2, size=n)
    t = rng.uniform(0.3, 3.0, size=n)
    sign = np.where(label == 0, 1.0, -1.0)
    x = np.stack([sign * t * np.cos(3 * t), sign * t * np.sin(3 * t)], axis=1)
    x += noise * rng.randn(n, 2)
    return x.astype("float32"), label.astype("int64")


x_train, y_train = make_spirals(500)
x_test, y_test = make_spirals(200, seed=1)

train_dataset = tf.data.Dataset.from_tensor_slices((x_train, y_train))
train_dataset = train_dataset.shuffle(buffer_size=500, seed=7).batch(BATCH_SIZE)

inputs = keras.Input(shape=(2,), name="point")
x = layers.Dense(64, activation="relu")(inputs)
x = layers.Dense(64, activation="relu")(x)
outputs = layers.Dense(2, name="logits")(x)
model = keras.Model(inputs, outputs)

optimizer = keras.optimizers.Adam(learning_rate=LEARNING_RATE)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
train_acc_metric = keras.metrics.SparseCategoricalAccuracy()

losses = []
accuracies = []


@tf.function(
    input_signature=[tf.TensorSpec([None, 2], tf.float32), tf.TensorSpec([None], tf.int64)]
)
def train_step(x_batch, y_batch):
    with tf.GradientTape() as tape:
        logits = model(x_batch, training=True)
        loss_value = loss_fn(y_batch, logits)

    grads = tape.gradient(loss_value, model.trainable_weights)
    optimizer.apply_gradients(zip(grads, model.trainable_weights))

    # Update training metric.
    train_acc_metric.update_state(y_batch, logits)
    return loss_value


for epoch in range(EPOCHS):
    print("\nStart of epoch %d" % (epoch + 1,))

    # Iterate over the batches of the dataset.
    for step, (x_batch, y_batch) in enumerate(train_dataset):
        loss_value = train_step(x_batch, y_batch)

        # Log every 5 batches.
        if step % 5 == 0:
            losses.append(float(loss_value))
            print("Training loss at step %d: %.4f" % (step, losses[-1]))
            print("Seen so far: %s samples" % ((step + 1) * BATCH_SIZE))

    train_acc = float(train_acc_metric.result())
    accuracies.append(train_acc)
    print("Training acc over epoch: %.4f" % train_acc)
    train_acc_metric.reset_state()

test_logits = model(x_test, training=False)
predicted = np.argmax(test_logits.numpy(), axis=1)
test_accuracy = float(np.mean(predicted == y_test))
print("Test accuracy: %.4f" % test_accuracy)
