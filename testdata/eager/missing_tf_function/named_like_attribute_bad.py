# `__class__` and `__name__` are no tensors' business: reading them blocks nothing.
import tensorflow as tf


class Trainer:
    def __init__(self, model, rate):
        self.model = model
        self.rate = rate
        self.optimizer = tf.keras.optimizers.SGD(rate)
        self.name = type(model).__name__

    def train_step(self, x, y):
        if self.model.__class__.__name__ == "Functional" or self.name == "Lambda":
            x = tf.identity(x)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x, training=True) - y))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss


for size in (2, 4):
    tf.keras.utils.set_random_seed(5)
    x = tf.random.stateless_normal([16, 3], [size, 1])
    batches = tf.data.Dataset.from_tensor_slices((x, x[:, :1])).batch(4)
    model = tf.keras.Sequential([tf.keras.layers.Dense(size, "relu"), tf.keras.layers.Dense(1)])
    trainer = Trainer(model, 0.1)
    for x, y in batches.repeat(2):
        loss = trainer.train_step(x, y)
    print(round(float(loss), 3))
