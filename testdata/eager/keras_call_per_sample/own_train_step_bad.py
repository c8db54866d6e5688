# `train_on_batch` would hand other data to the model's own training step: no fix.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(0)


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.readout = tf.keras.layers.Dense(1)

    def call(self, inputs):
        return self.readout(inputs)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(x, y, self(x, training=True))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


rng = np.random.default_rng(0)
model = Net()
model.compile("sgd", "mse")
for step in range(40):
    x = rng.normal(size=(16, 4)).astype("float32")
    model.fit(x, x[:, :1], epochs=1, verbose=0)
kernel = model.readout.kernel
