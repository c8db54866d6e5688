# A function made on each turn, in place or in a helper, is a new one to the trace's cache.
import tensorflow as tf

w = tf.Variable(1.0)


@tf.function
def descend(loss, rate):
    with tf.GradientTape() as tape:
        value = loss(w)
    w.assign_sub(rate * tape.gradient(value, w))


rate = tf.constant(0.1)
for step in range(8):
    descend(lambda v: tf.square(v - 3.0), rate)


def train(centre):
    def loss(v):
        return tf.square(v - centre)

    descend(loss, rate=rate)


for step in range(8):
    train(2.0)
