"""What may be there to show a trace is left as it is: only its author can say."""

import tensorflow as tf


@tf.function
def doubled(x):
    print("Tracing with", x)
    return 2.0 * x


@tf.function
def halved(x):
    half = 0.5 * x
    print(f"traced: {half}")
    tf.print("computed:", half)
    return half


for i in range(3):
    last = doubled(tf.constant(float(i))), halved(tf.constant(float(i)))
