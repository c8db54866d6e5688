"""Train a small classifier on synthetic "sensor" readings.

The whole thing lives in functions, progress goes to the log.
"""
import logging

import numpy as np
import tensorflow as tf

logger = logging.getLogger(__name__)

NUM_FEATURES = 12
NUM_CLASSES = 3
EPOCHS = 3
BATCH_SIZE = 64


def load_data(num_samples=1000, seed=123):
    rng = np.random.RandomState(seed)
    centers = rng.normal(scale=1.5, size=(NUM_CLASSES, NUM_FEATURES))
    labels = rng.randint(NUM_CLASSES, size=num_samples)
    features = centers[labels] + rng.normal(size=(num_samples, NUM_FEATURES))
    features = features.astype(np.float32)
    labels = labels.astype(np.int32)
    split = int(num_samples * 0.85)
    return (features[:split], labels[:split]), (features[split:], labels[split:])


class Classifier(tf.keras.Model):
    def __init__(self, hidden=48):
        super().__init__()
        self.dense1 = tf.keras.layers.Dense(hidden, activation="relu")
        self.dropout = tf.keras.layers.Dropout(0.2, seed=11)
        self.dense2 = tf.keras.layers.Dense(NUM_CLASSES)

    def call(self, inputs, training=False):
        x = self.dense1(inputs)
        x = self.dropout(x, training=training)
        return self.dense2(x)


def train(model, dataset, epochs):
    optimizer = tf.keras.optimizers.SGD(learning_rate=0.1, momentum=0.9)
    loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    train_loss = tf.keras.metrics.Mean(name="train_loss")
    train_accuracy = tf.keras.metrics.SparseCategoricalAccuracy(name="train_accuracy")

    @tf.function(
        input_signature=[
            tf.TensorSpec([None, NUM_FEATURES], tf.float32),
            tf.TensorSpec([None], tf.int32),
        ]
    )
    def train_step(features, labels):
        with tf.GradientTape() as tape:
            predictions = model(features, training=True)
            loss = loss_object(labels, predictions)
            # a little weight decay on the first layer
            loss += 1e-4 * tf.nn.l2_loss(model.dense1.kernel)
        gradients = tape.gradient(loss, model.trainable_variables)
        gradients = [tf.clip_by_norm(g, 1.0) for g in gradients]
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        train_loss(loss)
        train_accuracy(labels, predictions)
        return loss

    history = {"loss": [], "accuracy": []}
    global_step = 0
    for epoch in range(epochs):
        train_loss.reset_state()
        train_accuracy.reset_state()

        for features, labels in dataset:
            loss = train_step(features, labels)

            global_step += 1
            if global_step % 10 == 0:
                logger.info("step %d: loss=%.4f", global_step, loss.numpy())

        history["loss"].append(float(train_loss.result()))
        history["accuracy"].append(float(train_accuracy.result()))
        logger.info(
            "epoch %d/%d: loss=%.4f accuracy=%.3f",
            epoch + 1,
            epochs,
            history["loss"][-1],
            history["accuracy"][-1],
        )

    return history


def main():
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")

    (x_train, y_train), (x_test, y_test) = load_data()
    logger.info("%d training and %d test samples", len(x_train), len(x_test))

    train_ds = (
        tf.data.Dataset.from_tensor_slices((x_train, y_train))
        .shuffle(len(x_train), seed=3)
        .batch(BATCH_SIZE)
        .prefetch(tf.data.AUTOTUNE)
    )

    model = Classifier()
    history = train(model, train_ds, EPOCHS)

    logits = model(x_test)
    accuracy = np.mean(np.argmax(logits, axis=1) == y_test)
    logger.info("test accuracy: %.3f", accuracy)
    history["test_accuracy"] = float(accuracy)
    return history, model


if __name__ == "__main__":
    history, model = main()
