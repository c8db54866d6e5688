# What the model keeps of its losses is read behind the step, where a tensor of a trace is of no use.
import tensorflow as tf


class Shrinking(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = tf.keras.layers.Dense(4, kernel_initializer="ones", activation="tanh")
        self.outer = tf.keras.layers.Dense(1, kernel_initializer="ones")

    def call(self, x):
        hidden = self.inner(x)
        self.add_loss(0.01 * tf.reduce_mean(tf.square(hidden)))
        return self.outer(hidden)


model = Shrinking()
model(tf.zeros([1, 3]))
optimizer = tf.keras.optimizers.SGD(0.1)
measure = tf.keras.losses.MeanSquaredError()
x = tf.reshape(tf.range(96.0), [32, 3]) / 96.0
data = tf.data.Dataset.from_tensor_slices((x, tf.reduce_sum(x, 1, keepdims=True))).batch(4)

for step, (rows, targets) in enumerate(data):
    with tf.GradientTape() as tape:
        loss = measure(targets, model(rows)) + sum(model.losses)
    grads = tape.gradient(loss, model.trainable_weights)
    optimizer.apply_gradients(zip(grads, model.trainable_weights))

    if step % 4 == 0:
        print(step, round(float(model.losses[0]), 4))
