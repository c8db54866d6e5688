# A thread's `run` is called by `start`: its loop runs the method as any other would.
import threading

import tensorflow as tf
from tensorflow import keras


class Trainer(threading.Thread):
    def __init__(self, net, batches):
        super().__init__()
        self.net = net
        self.batches = batches
        self.opt = keras.optimizers.SGD(0.05)
        self.losses = []

    def run(self):
        for step in range(12):
            x = self.batches[step % 3]
            self.losses.append(float(self.learn(x)))

    def learn(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.net(x, training=True)))
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
        return loss


def main():
    keras.utils.set_random_seed(5)
    net = keras.Sequential([keras.Input((4,)), keras.layers.Dense(2)])
    trainer = Trainer(net, [tf.ones((8, 4)), tf.ones((8, 4)) * 2.0, tf.ones((8, 4)) * 0.5])
    trainer.start()
    trainer.join()
    return trainer.losses


losses = main()
