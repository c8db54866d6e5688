# The thread runs its method once: a trace of it would be used for one call.
import threading

import tensorflow as tf

tf.keras.utils.set_random_seed(3)


class Prober(threading.Thread):
    def __init__(self, x):
        super().__init__()
        self.x = x
        self.model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])
        self.slope = 0.0

    def run(self):
        self.slope = float(self.probe())

    def probe(self):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(self.x)))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        return tf.linalg.global_norm(gradients)


prober = Prober(tf.ones([5, 3]))
prober.start()
prober.join()
