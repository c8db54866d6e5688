# In a Keras model a method may not be called `train_step`, which `fit` runs: another name.
import tensorflow as tf


class Regression(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = tf.keras.layers.Dense(4, activation="tanh")
        self.outer = tf.keras.layers.Dense(1)
        self.own_optimizer = tf.keras.optimizers.SGD(0.1)

    def call(self, inputs):
        return self.outer(self.inner(inputs))

    @tf.function
    def learn_step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(x) - y))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.own_optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return loss

    def learn(self, data):
        last = None
        for x, y in data:
            loss = self.learn_step(x, y)
            last = loss
        return last


tf.keras.utils.set_random_seed(5)
inputs = tf.reshape(tf.linspace(-1.0, 1.0, 64), (32, 2))
data = tf.data.Dataset.from_tensor_slices((inputs, inputs[:, :1])).batch(8)
regression = Regression()
regression(inputs)
losses = [float(regression.learn(data)) for epoch in range(5)]
