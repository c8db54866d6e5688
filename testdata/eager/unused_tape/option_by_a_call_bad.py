"""What a tape is made with comes from a call that prints, whatever value it gives: there is no fix."""

import tensorflow as tf

w = tf.Variable(3.0)


def told(flag):
    print("asked")
    return flag


with tf.GradientTape(persistent=told(True)) as tape:
    z = w * w
print(float(z))
