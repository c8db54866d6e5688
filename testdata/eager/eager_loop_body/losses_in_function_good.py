# A decorated step may add up what its model adds.
import tensorflow as tf


class Shrinking(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = tf.keras.layers.Dense(4, kernel_initializer="ones", activation="tanh")

    def call(self, x):
        hidden = self.inner(x)
        self.add_loss(0.01 * tf.reduce_mean(tf.square(hidden)))
        return hidden


model = Shrinking()
optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x))) + sum(model.losses)
    grads = tape.gradient(loss, model.trainable_weights)
    optimizer.apply_gradients(zip(grads, model.trainable_weights))
    return loss


for x in tf.data.Dataset.from_tensor_slices(tf.ones([32, 3])).batch(4):
    loss = train_step(x)
print(float(loss) > 0.0)
