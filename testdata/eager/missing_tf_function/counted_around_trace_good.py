# The method counts, averages and prints in Python around the traced method, and computes nothing itself.
import tensorflow as tf

tf.keras.utils.set_random_seed(3)


class Trainer:
    def __init__(self):
        self.model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])
        self.optimizer = tf.keras.optimizers.SGD(0.1)
        self.steps = 0
        self.average = 0.0

    @tf.function
    def _update(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x, training=True) - y))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss

    def train_step(self, x, y):
        loss = float(self._update(x, y))
        self.steps += 1
        self.average = 0.9 * self.average + 0.1 * loss
        if self.steps % 20 == 0:
            print(f"step {self.steps}: loss {self.average:.4f}")
        return loss


trainer = Trainer()
for _ in range(60):
    trainer.train_step(tf.ones([4, 3]), tf.zeros([4, 2]))
