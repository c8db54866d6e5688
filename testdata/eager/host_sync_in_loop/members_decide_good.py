# Whether the loop goes on rests on the members, which are needed on this very turn.
import tensorflow as tf

slope = tf.Variable(0.0)
x = tf.linspace(0.0, 2.0, 21)
y = 1.5 * x


@tf.function
def step(rate):
    with tf.GradientTape() as tape:
        error = slope * x - y
        mean, largest = tf.reduce_mean(tf.abs(error)), tf.reduce_max(tf.abs(error))
    slope.assign_sub(rate * tape.gradient(mean, slope))
    return mean, largest


for turn in range(100):
    if sum([float(each) for each in step(0.02)]) < 0.5:
        break
