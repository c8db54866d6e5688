# What a first turn does is done once, in a trace as well; and a counter that tells of traces computes
# nothing.
import tensorflow as tf

traces = 0


@tf.function
def scaled(x):
    global traces
    traces += 1
    if traces == 1:
        tf.print("begins with", tf.reduce_sum(x))
    if traces > 1:
        print("traced again")
    return tf.square(x)


for size in (3, 4):
    scaled(tf.ones([size]))
