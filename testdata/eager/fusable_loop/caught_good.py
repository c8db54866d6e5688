# An error ends the loop after so many turns, and what they gave is used: nothing is fused.
import numpy as np
import tensorflow as tf

weight = tf.Variable(1.0)
data = tf.data.Dataset.from_tensor_slices(np.arange(40, dtype="float32"))
data = data.map(lambda v: tf.debugging.check_numerics(tf.sqrt(30.0 - v), "root")).batch(2)


@tf.function
def train_step(values):
    loss = tf.reduce_mean(tf.square(weight * values - 1.0))
    weight.assign_sub(0.01 * loss)
    return loss


kept = []
try:
    for values in data:
        loss = train_step(values)
        kept.append(float(loss))
except tf.errors.InvalidArgumentError:
    print("stopped after", len(kept))
