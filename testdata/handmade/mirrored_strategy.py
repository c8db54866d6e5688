"""Custom training with tf.distribute.MirroredStrategy; one replica where there is no GPU."""
import numpy as np
import tensorflow as tf

EPOCHS = 3
BATCH_SIZE_PER_REPLICA = 32

gpus = tf.config.list_logical_devices("GPU")
strategy = tf.distribute.MirroredStrategy([d.name for d in gpus] or ["/cpu:0"])
print("Number of devices: {}".format(strategy.num_replicas_in_sync))
GLOBAL_BATCH_SIZE = BATCH_SIZE_PER_REPLICA * strategy.num_replicas_in_sync


def make_images(n, seed):
    """A bright square in one of the four quarters."""
    rng = np.random.RandomState(seed)
    images = 0.3 * rng.rand(n, 12, 12, 1)
    labels = rng.randint(4, size=n)
    for image, label in zip(images, labels):
        row, column = 6 * (label // 2) + rng.randint(3), 6 * (label % 2) + rng.randint(3)
        image[row : row + 3, column : column + 3] += 0.6
    return images.astype(np.float32), labels.astype(np.int64)


train_images, train_labels = make_images(320, 1)
test_images, test_labels = make_images(64, 2)

train_dataset = (
    tf.data.Dataset.from_tensor_slices((train_images, train_labels))
    .shuffle(320, seed=8)
    .batch(GLOBAL_BATCH_SIZE)
)
test_dataset = tf.data.Dataset.from_tensor_slices((test_images, test_labels))
test_dataset = test_dataset.batch(GLOBAL_BATCH_SIZE)
train_dist_dataset = strategy.experimental_distribute_dataset(train_dataset)
test_dist_dataset = strategy.experimental_distribute_dataset(test_dataset)

with strategy.scope():
    model = tf.keras.Sequential(
        [
            tf.keras.Input((12, 12, 1)),
            tf.keras.layers.Conv2D(6, 3, strides=2, activation="relu"),
            tf.keras.layers.Flatten(),
            tf.keras.layers.Dense(24, activation="relu"),
            tf.keras.layers.Dense(4),
        ]
    )
    optimizer = tf.keras.optimizers.Adam(learning_rate=0.005)
    loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")
    test_loss = tf.keras.metrics.Mean(name="test_loss")
    train_accuracy = tf.keras.metrics.SparseCategoricalAccuracy(name="train_accuracy")
    test_accuracy = tf.keras.metrics.SparseCategoricalAccuracy(name="test_accuracy")


def compute_loss(labels, predictions):
    per_example_loss = loss_object(labels, predictions)
    return tf.nn.compute_average_loss(per_example_loss, global_batch_size=GLOBAL_BATCH_SIZE)


def train_step(inputs):
    images, labels = inputs
    with tf.GradientTape() as tape:
        predictions = model(images, training=True)
        loss = compute_loss(labels, predictions)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    train_accuracy.update_state(labels, predictions)
    return loss


def test_step(inputs):
    images, labels = inputs
    predictions = model(images, training=False)
    test_loss.update_state(loss_object(labels, predictions))
    test_accuracy.update_state(labels, predictions)


@tf.function
def distributed_train_step(inputs, total_loss):
    per_replica_losses = strategy.run(train_step, args=(inputs,))
    loss = strategy.reduce(tf.distribute.ReduceOp.SUM, per_replica_losses, axis=None)
    return total_loss + loss


@tf.function
def distributed_test_step(inputs):
    strategy.run(test_step, args=(inputs,))


history = []
for epoch in range(EPOCHS):
    total_loss = tf.constant(0.0)
    num_batches = 0
    for x in train_dist_dataset:
        total_loss = distributed_train_step(x, total_loss)
        num_batches += 1
    train_loss = total_loss / num_batches

    for x in test_dist_dataset:
        distributed_test_step(x)

    template = "Epoch {}, Loss: {:.4f}, Accuracy: {:.2f}, Test Loss: {:.4f}, Test Accuracy: {:.2f}"
    print(
        template.format(
            epoch + 1,
            float(train_loss),
            float(train_accuracy.result()) * 100,
            float(test_loss.result()),
            float(test_accuracy.result()) * 100,
        )
    )
    history.append((float(train_loss), float(test_loss.result())))
    for metric in (test_loss, train_accuracy, test_accuracy):
        metric.reset_state()
