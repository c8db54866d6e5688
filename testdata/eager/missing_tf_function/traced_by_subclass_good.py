# The subclass traces the method of its base class under the same name, and the loop runs the subclass.
import tensorflow as tf

tf.keras.utils.set_random_seed(3)


class Trainer:
    def __init__(self):
        self.model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])
        self.optimizer = tf.keras.optimizers.SGD(0.1)

    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x, training=True) - y))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss


class TracedTrainer(Trainer):
    step = tf.function(Trainer.step)


trainer = TracedTrainer()
for _ in range(60):
    loss = trainer.step(tf.ones([4, 3]), tf.zeros([4, 2]))
