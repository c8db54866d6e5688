# Three turns wait three times, which nobody will notice.
import tensorflow as tf

w = tf.Variable(4.0)


@tf.function
def halve():
    w.assign(0.5 * w)
    return w * 1.0


values = []
for _ in range(3):
    values.append(float(halve()))
