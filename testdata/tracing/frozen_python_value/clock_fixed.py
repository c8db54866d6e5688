# A clock read in a trace stands still: `tf.timestamp` is read on each call.
# intent: correcting
import time

import tensorflow as tf


@tf.function
def moment(x):
    now = tf.timestamp()
    return tf.reduce_sum(x), now


@tf.function
def elapsed(since):
    return tf.cast(tf.timestamp() - 0.5, tf.float64) - tf.cast(since, tf.float64)


def stands_still(x):
    first = float(moment(x)[1])
    time.sleep(0.01)
    return float(moment(x)[1]) <= first


def measures_the_same():
    first = float(elapsed(tf.constant(0.0)))
    time.sleep(0.01)
    return float(elapsed(tf.constant(0.0))) <= first


frozen = stands_still(tf.ones([3]))
frozen_difference = measures_the_same()
