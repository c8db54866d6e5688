# A switch that the program asks one way only, in its loop, keeps the training step below it from being run.
import tensorflow as tf

TUNES = False
weight = tf.Variable(1.0)


def tune(value):
    with tf.GradientTape() as tape:
        loss = tf.square(weight * value - 1.0)
    weight.assign_sub(0.1 * tape.gradient(loss, weight))


@tf.function
def predict(value):
    return weight * value


total = 0.0
for turn in range(100):
    if TUNES:
        tune(tf.constant(float(turn)))
    total += float(predict(tf.constant(2.0)))
