# The summary is written in Python, beside the traced step: there a Python step is as good as any.
import tempfile
from pathlib import Path

import tensorflow as tf
from tensorflow.core.util import event_pb2


class Trainer:
    def __init__(self):
        self.steps = 0
        self.weight = tf.Variable(2.0)

    @tf.function
    def train_step(self, x):
        loss = tf.reduce_mean(tf.square(x * self.weight))
        self.weight.assign_sub(0.1 * self.weight)
        return loss

    def log(self, loss):
        tf.summary.write("loss", loss, step=self.steps)

    def train(self, turns):
        for _ in range(turns):
            loss = self.train_step(tf.ones([4]))
            self.log(loss)
            self.steps += 1


def steps_in(folder):
    found = []
    for path in Path(folder).iterdir():
        for record in tf.data.TFRecordDataset(str(path)):
            event = event_pb2.Event.FromString(record.numpy())
            found += [(value.tag, event.step) for value in event.summary.value]
    return found


with tempfile.TemporaryDirectory() as folder:
    writer = tf.summary.create_file_writer(folder)
    with writer.as_default():
        Trainer().train(3)
    writer.close()
    written = steps_in(folder)
del folder, writer
assert written == [("loss", 0), ("loss", 1), ("loss", 2)]
