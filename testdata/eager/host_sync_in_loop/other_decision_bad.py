# What decides is the turn, or a loop within: the value of the loss is only shown.
import tensorflow as tf

slope = tf.Variable(0.0)
x = tf.linspace(0.0, 2.0, 21)
y = 1.5 * x


@tf.function
def step(rate):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(slope * x - y))
    slope.assign_sub(rate * tape.gradient(loss, slope))
    return loss


def fit(last):
    for turn in range(100):
        loss = step(0.02)
        if loss > 1.0:
            for word in ("large", "huge"):
                print(word)
                if turn < 50:
                    break
        if turn == last:
            break


fit(90)
