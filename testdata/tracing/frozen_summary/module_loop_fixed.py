# The loop is at module level and writes eagerly too: a variable is made before it.
# intent: correcting
import tempfile
from pathlib import Path

from tensorflow.core.util import event_pb2
import tensorflow as tf

weight = tf.Variable(2.0)


@tf.function
def train_step(x):
    loss = tf.reduce_mean(tf.square(x * weight))
    weight.assign_sub(0.1 * weight)
    tf.summary.write("loss", loss)
    return loss


def steps_in(folder):
    found = []
    for path in Path(folder).iterdir():
        for record in tf.data.TFRecordDataset(str(path)):
            event = event_pb2.Event.FromString(record.numpy())
            found += [(value.tag, event.step) for value in event.summary.value]
    return found


with tempfile.TemporaryDirectory() as folder:
    writer = tf.summary.create_file_writer(folder)
    summary_step = tf.Variable(0, dtype=tf.int64)
    tf.summary.experimental.set_step(summary_step)
    # Every turn has a step of its own.
    for number, x in enumerate(tf.data.Dataset.range(6, output_type=tf.float32)):
        summary_step.assign(number)
        with writer.as_default():
            loss = train_step(x)
            if number % 2 == 0:
                tf.summary.write("eager", loss)
    writer.close()
    written = steps_in(folder)

del folder
