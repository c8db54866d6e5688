# Each row has a source, or a tape, of its own: no jacobian holds these gradients.
import tensorflow as tf

weights = [tf.Variable(float(i)) for i in range(6)]
x = tf.ones([6])


def separately():
    with tf.GradientTape(persistent=True) as tape:
        y = tf.stack([w * 2 for w in weights])
        losses = [w * w for w in weights]
        found = [tape.gradient(y[i], weights[i]) for i in range(6)]
        found += [tape.gradient(losses[i], weights) for i in range(6)]
        for i, w in enumerate(weights):
            found.append(tape.gradient(y[i], w))
    return found


def each_its_own():
    found = []
    for i in range(6):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.square(x)
            row = y[i]
        found.append(tape.gradient(row, x))
    return found
