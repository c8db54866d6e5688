# `set_step` with a number, read by a helper's summaries: a variable before the loops holds it.
# intent: correcting
import tempfile
from pathlib import Path

import tensorflow as tf
from tensorflow.core.util import event_pb2


def log(loss):
    tf.summary.write("loss", loss)
    tf.summary.write("half", loss / 2)


@tf.function
def train_step(x):
    loss = tf.reduce_mean(tf.square(x))
    log(loss)
    return loss


def train(writer, epochs, steps):
    with writer.as_default():
        for epoch in range(epochs):
            for i in range(steps):
                tf.summary.experimental.set_step(epoch * steps + i)
                loss = train_step(tf.fill([4], float(i)))
            tf.summary.write("last", loss)
    writer.close()


def steps_in(folder):
    found = []
    for path in Path(folder).iterdir():
        for record in tf.data.TFRecordDataset(str(path)):
            event = event_pb2.Event.FromString(record.numpy())
            found += [(value.tag, event.step) for value in event.summary.value]
    return found


def main():
    with tempfile.TemporaryDirectory() as folder:
        train(tf.summary.create_file_writer(folder), 2, 3)
        return steps_in(folder)


written = main()
