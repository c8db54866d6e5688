# What the loop hands to a traced function becomes tensors there, whatever it is: a step around both takes it
# as it comes, though nobody knows that it is no array.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(6)


class Trainer:
    def __init__(self, prepare):
        self.prepare, self.share = prepare, tf.constant(0.5)
        self.model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
        self.optimizer = tf.keras.optimizers.SGD(0.02)

    @tf.function
    def grad(self, rows):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(rows) - rows * self.share))
        return tape.gradient(loss, self.model.trainable_variables), loss

    def run(self, batches):
        for batch in batches:
            rows = self.prepare(batch)
            grads, loss = self.grad(rows)
            self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        print(round(float(loss), 4))


def prepare(name):
    return getattr(np, name.strip())


Trainer(prepare(" float32")).run([np.full([4, 3], start / 40) for start in range(40)])
