# Mechanism: an attribute that a call sets before it reads it keeps nothing from one call to the next.
import tensorflow as tf


class Mix(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(4)

    def call(self, x):
        self.rows = tf.shape(x)[0]
        return self.pool(self.dense(x))

    def pool(self, h):
        return tf.reduce_sum(h, 0) / tf.cast(self.rows, tf.float32)


mix = Mix()
mix(tf.ones([4, 3]))
optimizer = tf.keras.optimizers.SGD(0.1)


def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(mix(x) ** 2)
    gradients = tape.gradient(loss, mix.trainable_variables)
    optimizer.apply_gradients(zip(gradients, mix.trainable_variables))
    return loss


for _ in range(100):
    loss = train_step(tf.ones([4, 3]))
print(loss.numpy())
del mix  # What a trace has set stays with it: a tensor that has no value outside of the trace.
