# A loop in a method: its step becomes a method, and the attributes it reads stay attributes.
import tensorflow as tf


class Trainer:
    def __init__(self, width):
        self.model = tf.keras.Sequential(
            [tf.keras.layers.Dense(width, activation="relu"), tf.keras.layers.Dense(1)]
        )
        self.optimizer = tf.keras.optimizers.Adam(0.01)
        self.losses = []

    def run_epoch(self, data):
        for x, y in data:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.abs(self.model(x) - y))
            variables = self.model.trainable_variables
            gradients = tape.gradient(loss, variables)
            self.optimizer.apply_gradients(zip(gradients, variables))
            self.losses.append(loss)


tf.keras.utils.set_random_seed(2)
inputs = tf.reshape(tf.linspace(-1.0, 1.0, 64), (32, 2))
data = tf.data.Dataset.from_tensor_slices((inputs, inputs[:, :1])).batch(8)
trainer = Trainer(8)
for epoch in range(3):
    trainer.run_epoch(data)
losses = [float(loss) for loss in trainer.losses]
