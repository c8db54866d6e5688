"""A net whose make is read from a text learns on; a moving average of its weights is kept beside."""
import numpy as np
import tensorflow as tf

EPOCHS = 2
MAKE = tf.keras.Sequential([
    tf.keras.layers.Input((10,)),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(4),
]).to_json()


class Trainer:
    def __init__(self, text):
        self.model = tf.keras.models.model_from_json(text)
        self.average = [tf.Variable(each) for each in self.model.trainable_variables]
        self.optimizer = tf.keras.optimizers.SGD(0.01, momentum=0.9)
        self.mean = tf.keras.metrics.Mean()

    @tf.function
    def train_step(self, x, y):
        with tf.GradientTape() as tape:
            logits = self.model(x, training=True)
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
            loss = tf.reduce_mean(losses)
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss

    def keep(self):
        for kept, fresh in zip(self.average, self.model.trainable_variables):
            kept.assign(kept * 0.99 + fresh * 0.01)

    def train(self, data):
        for epoch in range(EPOCHS):
            for x, y in data:
                loss = self.train_step(x, y)
                self.mean.update_state(loss)
                self.keep()
            print(epoch, float(self.mean.result()))
            self.mean.reset_state()


draw = np.random.default_rng(8)
rows = draw.normal(size=(160, 10)).astype(np.float32)
labels = draw.integers(0, 4, 160)
Trainer(MAKE).train(tf.data.Dataset.from_tensor_slices((rows, labels)).batch(16))
