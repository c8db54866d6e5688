# Each trainer traces its own method when it is made, under the name that the loop calls.
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
x = tf.random.stateless_normal((16, 3), (4, 1))


class Critic:
    def __init__(self, units):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
        self.optimizer = tf.keras.optimizers.SGD(0.01)
        self.step = tf.function(self._step)

    def _step(self, inputs):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(inputs, training=True) - 1.0))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss


small, large = Critic(2), Critic(4)
for _ in range(12):
    losses = [small.step(x), large.step(x)]
print([round(float(loss), 4) for loss in losses])
