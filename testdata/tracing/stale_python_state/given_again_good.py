# What is not known, and is set to what is not known, may be the same object on each turn.
import json

import tensorflow as tf

SETTINGS = json.loads('{"scale": 0.5}')


class Scaler:
    def __init__(self, settings):
        self.scale = settings["scale"]

    @tf.function
    def step(self, x):
        return x * self.scale

    def run(self, x):
        for _ in range(5):
            self.scale = SETTINGS["scale"]
            x = self.step(x)
        return x


result = Scaler(SETTINGS).run(tf.constant(2.0))
