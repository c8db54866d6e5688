# The call that needs a value is two helpers below the decorator: the chain shows it.
# intent: correcting
import tensorflow as tf


def summarise(values):
    return {"mean": tf.reduce_mean(values).numpy(), "all": values.numpy().tolist()}


def report(values):
    return summarise(tf.sort(values))


@tf.function
def evaluate(x):
    scores = tf.nn.softmax(x)
    return report(scores)


result = evaluate(tf.constant([1.0, 2.0, 3.0]))
