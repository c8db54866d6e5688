# A metric with a method of its own of that name, guards, and a layer that has it.
import tensorflow as tf


class Counter(tf.keras.metrics.Metric):
    """A metric with a method of the old name."""

    def __init__(self):
        super().__init__()
        self.count = self.add_weight(name="count", initializer="zeros")

    def update_state(self, values):
        self.count.assign_add(tf.reduce_sum(values))

    def result(self):
        return self.count

    def reset_states(self):
        self.count.assign(0.0)


def restart(metric):
    metric.reset_states()


counter = Counter()
counter.reset_states()
mean = tf.keras.metrics.Mean()
for metric in (counter, mean):
    restart(metric)
mean.reset_state()
if hasattr(mean, "reset_states"):
    mean.reset_states()
try:
    mean.reset_states()
except AttributeError:
    mean.reset_state()
VERSION = tuple(int(part) for part in tf.__version__.split(".")[:2])
IS_OLD = VERSION < (2, 5)
if IS_OLD:
    mean.reset_states()
else:
    mean.reset_state()
layer = tf.keras.layers.LSTM(2, stateful=True)
layer(tf.zeros([1, 2, 3]))
layer.reset_states()
