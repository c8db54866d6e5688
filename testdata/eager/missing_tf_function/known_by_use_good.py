"""A step of which the optimizer is of the file's own, whatever it is asked: nothing is known."""

import functools

import tensorflow as tf


class Recorder:
    def __init__(self):
        self.seen = []

    def apply_gradients(self, pairs):
        self.seen.append([float(tf.norm(gradient)) for gradient, _ in pairs])


def measure(recorder, x):
    recorder.apply_gradients([(x, x)])
    return len(recorder.seen)


recorder = functools.reduce(lambda _, one: one(), [Recorder], None)
for turn in range(3):
    print(measure(recorder, tf.ones([2])))
