# Variables and arguments are read on each call; what never changes may be read once.
import tensorflow as tf

rate = tf.Variable(0.1)
scale = 2.0
history = []


@tf.function
def step(x, factor):
    return x * rate * scale * factor


class Counter:
    def __init__(self):
        self.steps = tf.Variable(0)
        self.seen = 0
        self.width = 3

    @tf.function
    def add(self, x):
        self.steps.assign_add(1)
        return x * float(self.width)

    def count(self, x):
        self.seen += 1
        return self.add(x)


counter = Counter()
for epoch in range(3):
    history.append(step(tf.constant(1.0), tf.constant(0.5)))
    rate.assign(rate * 0.5)
    counter.count(tf.constant(1.0))
