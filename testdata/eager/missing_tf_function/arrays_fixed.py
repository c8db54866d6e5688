# Drawn float64 arrays are cast at the call to what eager arithmetic makes of them.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(4)


class Critic:
    def __init__(self):
        self.model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
        self.optimizer = tf.keras.optimizers.Adam(0.01)
        self.huber = tf.keras.losses.Huber()

    def loss(self, values, targets):
        far = self.huber(tf.stop_gradient(targets), values)
        return tf.reduce_mean(tf.square(values - targets)) + far

    @tf.function(reduce_retracing=True)
    def train(self, states, targets):
        with tf.GradientTape() as tape:
            loss = self.loss(self.model(states), targets)
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss


critic = Critic()
for episode in range(5):
    states = rng.randn(8, 3)
    targets = np.array([[state.sum()] for state in states])
    loss = critic.train(states, tf.constant(targets, tf.float32))
print(float(loss))
