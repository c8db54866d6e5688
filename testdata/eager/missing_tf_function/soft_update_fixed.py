# Few words, many operations: each variable of the target follows its own, op by op, on each step.
import tensorflow as tf


def network():
    layers = [tf.keras.layers.Dense(8, "tanh", kernel_initializer="ones") for _ in range(3)]
    return tf.keras.Sequential([tf.keras.Input([4]), *layers])


class Learner:
    def __init__(self):
        self.model, self.target = network(), network()
        self.optimizer = tf.keras.optimizers.SGD(0.01)

    @tf.function
    def step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x) - 0.5 * self.target(x)))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))

    @tf.function
    def follow(self, tau):
        for old, new in zip(self.target.variables, self.model.variables):
            old.assign(tau * new + (1.0 - tau) * old)


learner = Learner()
x = tf.reshape(tf.linspace(-1.0, 1.0, 32), [8, 4])
for _ in range(12):
    learner.step(x)
    learner.follow(0.05)
weights = learner.target.get_weights()
