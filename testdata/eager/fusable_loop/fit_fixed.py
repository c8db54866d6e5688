# Keras runs the steps, and nothing sees the single ones: it may run ten of them in one call.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(9)
rng = np.random.RandomState(4)
x_train = rng.randn(230, 6).astype("float32")
y_train = np.tanh(x_train[:, :1] - x_train[:, 1:2]).astype("float32")


class Scaled(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(12, activation="tanh")
        self.out = tf.keras.layers.Dense(1)
        self.error = tf.keras.metrics.Mean(name="error")

    def call(self, inputs):
        return self.out(self.hidden(inputs))

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(x, training=True) - y))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.error.update_state(loss)
        return {"error": self.error.result()}


model = Scaled()
model.compile(
    optimizer=tf.keras.optimizers.Adam(0.01), jit_compile=False, steps_per_execution=10
)
history = model.fit(x_train, y_train, epochs=2, batch_size=16, verbose=0)
for epoch, error in enumerate(history.history["error"]):
    print("epoch", epoch, "error %.4f" % error)
