# A dict that the constructor makes and fills, by a method of its own, is that of the object for good.
import tensorflow as tf


class Learner:
    def __init__(self):
        self.make()

    def make(self):
        self.nets = {}
        self.nets["actor"] = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])
        self.nets["critic"] = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(1)])
        self.optimizer = tf.keras.optimizers.SGD(0.1)

    def train_step(self, x):
        with tf.GradientTape() as tape:
            score = self.nets["critic"](self.nets["actor"](x, training=True), training=True)
            loss = tf.reduce_mean(tf.square(score - 1.0))
        weights = self.nets["actor"].trainable_variables + self.nets["critic"].trainable_variables
        gradients = tape.gradient(loss, weights)
        self.optimizer.apply_gradients(zip(gradients, weights))
        return loss


learner = Learner()
for step in range(20):
    loss = learner.train_step(tf.ones([4, 3]))
print(float(loss))
