# The layer is made of code that reads what every turn sets; a trace would keep the first.
import tensorflow as tf


class Trainer0:
    def __init__(self):
        self.factor = 1.0
        self.model = tf.keras.Sequential(
            [tf.keras.Input([4]), tf.keras.layers.Lambda(lambda t: t * self.factor), tf.keras.layers.Dense(1)]
        )
        self.optimizer = tf.keras.optimizers.SGD(0.01)

    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x, training=True) - y))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss

    def fit(self, data):
        for x, y in data:
            loss = self.step(x, y)
            self.factor = self.factor * 0.9
        return loss


data = tf.data.Dataset.from_tensor_slices((tf.ones([32, 4]), tf.ones([32, 1]))).batch(8)
print(Trainer0().fit(data))
