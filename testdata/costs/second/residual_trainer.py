"""A small residual network for pictures, trained by a class of its own."""
import numpy as np
import tensorflow as tf

EPOCHS = 3


def residual_block(x, filters):
    shortcut = x
    y = tf.keras.layers.Conv2D(filters, 3, padding="same", use_bias=False)(x)
    y = tf.keras.layers.BatchNormalization()(y)
    y = tf.keras.layers.ReLU()(y)
    y = tf.keras.layers.Conv2D(filters, 3, padding="same", use_bias=False)(y)
    y = tf.keras.layers.BatchNormalization()(y)
    return tf.keras.layers.ReLU()(tf.keras.layers.Add()([shortcut, y]))


def build_model(num_classes=10):
    inputs = tf.keras.Input((16, 16, 3))
    x = tf.keras.layers.Conv2D(8, 3, padding="same", activation="relu")(inputs)
    x = residual_block(x, 8)
    x = tf.keras.layers.MaxPooling2D()(x)
    x = residual_block(x, 8)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(num_classes)(x))


class Trainer:
    def __init__(self, model, learning_rate=0.05):
        self.model = model
        self.optimizer = tf.keras.optimizers.SGD(learning_rate, momentum=0.9)
        self.loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.train_loss = tf.keras.metrics.Mean(name="train_loss")
        self.train_accuracy = tf.keras.metrics.SparseCategoricalAccuracy(name="train_accuracy")

    def train_step(self, images, labels):
        with tf.GradientTape() as tape:
            logits = self.model(images, training=True)
            loss = self.loss_fn(labels, logits)
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        self.train_loss(loss)
        self.train_accuracy(labels, logits)

    def fit(self, dataset, epochs):
        for epoch in range(epochs):
            self.train_loss.reset_state()
            self.train_accuracy.reset_state()
            for images, labels in dataset:
                self.train_step(images, labels)
            print(f"epoch {epoch}: loss {self.train_loss.result().numpy():.4f}")


rng = np.random.default_rng(0)
images = rng.normal(size=(96, 16, 16, 3)).astype("float32")
labels = rng.integers(10, size=96)
train_ds = tf.data.Dataset.from_tensor_slices((images, labels)).batch(16)
Trainer(build_model()).fit(train_ds, EPOCHS)
