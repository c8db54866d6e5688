# Of several calls on one tape only one is run on any path.
import tensorflow as tf

x = tf.Variable(2.0)


def early_return(second):
    with tf.GradientTape() as tape:
        y = x * x
    if second:
        return tape.gradient(2.0 * y, x)
    return tape.gradient(y, x)


def branches(kind):
    with tf.GradientTape() as tape:
        y = x * x
        z = x * y
    if kind == "square":
        gradient = tape.gradient(y, x)
    elif kind == "cube":
        gradient = tape.gradient(z, x)
    else:
        gradient = tape.gradient(y + z, x)
    return gradient


def opposite(flag):
    with tf.GradientTape() as tape:
        y = x * x
    gradient = None
    if flag:
        gradient = tape.gradient(y, x)
    if not flag:
        gradient = tape.gradient(y, x)
    return gradient


def first_of(values):
    with tf.GradientTape() as tape:
        y = x * x
    for value in values:
        if value is None:
            continue
        gradient = tape.gradient(y, x)
        break
    else:
        gradient = None
    return gradient


found = [early_return(True), branches("cube"), opposite(False), first_of([None, 1])]
