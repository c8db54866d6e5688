# What a list holds that a function of the program adds to is not what its literal shows.
import tensorflow as tf

series = tf.sin(tf.range(40.0))
PARTS = [series]


def add(part):
    PARTS.append(part)


@tf.function(reduce_retracing=True)
def total(w):
    return tf.reduce_sum(tf.square(w) - w)


add(tf.reshape(series, [40]) * 2.0)
for data in PARTS:
    for n in range(2, 20):
        print(float(total(data[:n])))
