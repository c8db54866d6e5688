"""A rate that a traced step makes of what it counts stays what it was while tracing, through names and attributes."""

import tensorflow as tf


class Mixer:
    def __init__(self):
        self.turns = 0
        self.rate = 1.0
        self.target = tf.Variable(tf.zeros([3]))

    @tf.function
    def step(self, source):
        self.turns += 1
        self.anneal()
        share = 1.0 - self.turns / 100
        self.target.assign(share * self.target + source)
        return self.target + 0.0

    def anneal(self):
        self.rate = 0.5 * (1 - self.turns / 100)

    @tf.function
    def mixed(self, source):
        return source + (source - self.target) * self.rate


mixer = Mixer()
for turn in range(20):
    stepped = mixer.step(tf.ones([3]))
    print(turn, stepped.numpy(), mixer.mixed(tf.ones([3])).numpy())
