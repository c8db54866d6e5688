# Shapes that change from call to call would be compiled each time: silent.
import tensorflow as tf


@tf.function(reduce_retracing=True)
def smoothed(x):
    for _ in tf.range(4):
        x = 0.5 * x + 0.5 * tf.reduce_mean(x)
    return x


@tf.function
def settled(x):
    for _ in tf.range(4):
        x = 0.5 * x + 0.5 * tf.reduce_mean(x)
    return x


signal = tf.linspace(0.0, 1.0, 20)
for step in range(1, 20):
    part = smoothed(signal[:step])

batches = tf.data.Dataset.from_tensor_slices(signal).batch(8)
for batch in batches:
    whole = settled(batch)
