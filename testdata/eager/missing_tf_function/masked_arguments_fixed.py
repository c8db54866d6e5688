# Arguments that a mask cuts have another length on each call: shapes are relaxed.
import numpy as np
import tensorflow as tf

source = np.random.default_rng(6)
targets = source.normal(size=[40]).astype(np.float32)
outputs = source.normal(size=[40, 3]).astype(np.float32)


@tf.function(reduce_retracing=True)
def distance(wanted, given):
    gap = tf.square(wanted - tf.reduce_sum(given, axis=1))
    return tf.reduce_mean(tf.sqrt(gap + 1.0)) + tf.reduce_max(tf.abs(given))


@tf.function(reduce_retracing=True)
def spread(values):
    ordered = tf.sort(values)
    running = tf.cumsum(tf.exp(ordered))
    return tf.reduce_sum(running * ordered) + tf.reduce_mean(tf.abs(values))


found = []
for turn in range(12):
    chosen = source.random(40) > 0.4
    found.append(distance(targets[chosen], outputs[chosen, :]))
    places = np.where(chosen)[0]
    found.append(spread(tf.gather(targets, places)))
found = tf.stack(found)
