# A second call on some path is enough: `persistent=False` becomes True.
# intent: correcting
import tensorflow as tf

x = tf.Variable(2.0)


def gradients(with_penalty):
    with tf.GradientTape(persistent=False) as tape:
        loss = x * x
        penalty = tf.abs(x)
    found = [tape.gradient(loss, x)]
    if with_penalty:
        found.append(tape.gradient(penalty, x))
    return found


both = gradients(True)
