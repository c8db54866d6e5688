# The value decides whether the loop goes on, so that it is needed on this very turn: in the test of
# the loop, in that of a `break`, a `continue` or a `return`, or by a name that such a test reads.
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


def until_small(limit):
    for _ in range(100):
        loss = step(0.02)
        if loss < limit:
            break
        print("loss", float(loss))


def first_below(limit):
    for turn in range(100):
        loss = step(0.02).numpy()
        print("loss", loss)
        if loss < 4 * limit:
            return turn
    return None


def printed_when_large(limit):
    for _ in range(100):
        loss = float(step(0.02))
        is_small = loss < limit
        if is_small:
            continue
        print("loss", loss)


def patient(patience):
    best, waited = 1e9, 0
    for _ in range(100):
        loss = float(step(0.02))
        if loss < best:
            best = loss
            waited = 0
        else:
            waited += 1
        if waited > patience:
            break


def while_large(limit):
    loss = step(0.02)
    while loss > limit:
        loss = step(0.02)
        print("loss", float(loss))


until_small(0.5)
first = first_below(0.1)
printed_when_large(0.5)
patient(5)
while_large(0.05)
