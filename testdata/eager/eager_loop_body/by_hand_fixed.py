# Tensors carried from turn to turn are parameters and results of the step, never closures.
import tensorflow as tf

x = tf.constant([0.0, 0.25, 0.5, 0.75, 1.0])
y = tf.constant([0.9, 1.6, 2.1, 2.4, 3.1])
slope, offset = tf.constant(0.0), tf.constant(0.0)


@tf.function
def update(slope, offset):
    # the error, and how it changes with both
    error = slope * x + offset - y
    slope_change = 2.0 * tf.reduce_mean(error * x)
    offset_change = 2.0 * tf.reduce_mean(error)

    # downhill
    slope, offset = slope - 0.1 * slope_change, offset - 0.1 * offset_change
    return slope, offset


for turn in range(200):
    slope, offset = update(slope, offset)

print(f"{float(slope):.3f} {float(offset):.3f}")
