# Who changes the attribute wraps the method anew, through a helper that gives back what it is given.
import tensorflow as tf


class Scaled(tf.Module):
    def __init__(self, eager=False):
        super().__init__()
        self.eager = eager
        self.scale = 1.0
        self.weight = tf.Variable(2.0)
        self._wrap()

    def _as_asked(self, function):
        return function if self.eager else tf.function(function)

    def _wrap(self):
        self.step = self._as_asked(self._step)

    def _step(self, x):
        return self.weight * x * self.scale

    def rescale(self, scale):
        self.scale = scale
        self._wrap()


scaled = Scaled()
total = tf.constant(0.0)
for turn in range(8):
    scaled.rescale(float(turn))
    total += scaled.step(tf.constant(1.0))
print(float(total))

# So does each turn of a loop that wraps a function: what it traces reads the rate of that turn.
rate = 0.1
weight = tf.Variable(2.0)


def shrink(x):
    weight.assign_sub(rate * x)
    return weight * x


shrinkers = []
for rate in (0.5, 0.25):
    fast = tf.function(shrink)
    shrinkers.append(tf.function(shrink))
    for turn in range(3):
        fast(tf.constant(1.0))
        shrinkers[-1](tf.constant(1.0))
print(float(weight))
