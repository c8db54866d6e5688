"""Who hands in the optimizer is not seen; none, of whichever version, has ever taken the keyword."""

import tensorflow as tf


class Trainer:
    def __init__(self, optimizer):
        self.optimizer = optimizer

    def update(self, tape, loss, variables):
        gradients = tape.gradient(loss, variables)
        self.optimizer.apply_gradients(zip(gradients, variables), asynchronous=True)


def update(optimizer, gradients, variables):
    optimizer.apply_gradients(zip(tf.nest.flatten(gradients), variables), asynchronous=True)
