# What goes through a data set is something else, and has more: a bar, a data set of a project's own.
import tensorflow as tf
import tqdm


def wrapped(data):
    data.source = "numbers"
    return data


data = tf.data.Dataset.range(8).batch(2)
bar = tqdm.tqdm(data)
for batch in bar:
    bar.set_description(str(batch.numpy().sum()))
print(wrapped(data).source)
if hasattr(data, "output_types"):
    print(data.output_types)
