# Nobody here knows what the settings hold: what is calculated anew on each turn is no variable.
import json

import tensorflow as tf


class Fitter:
    def __init__(self, settings):
        self.weight = tf.Variable(1.0)
        self.penalty = settings["penalty"]
        self.turns = settings["turns"]

    @tf.function
    def step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.square(self.weight * x - 1.0) + self.penalty * tf.square(self.weight)
        self.weight.assign_sub(0.1 * tape.gradient(loss, self.weight))

    def fit(self, x):
        first = self.penalty
        for turn in range(self.turns):
            self.penalty = first - (first / self.turns) * turn
            self.step(x)


fitter = Fitter(json.loads('{"penalty": 0.5, "turns": 5}'))
fitter.fit(tf.constant(2.0))
