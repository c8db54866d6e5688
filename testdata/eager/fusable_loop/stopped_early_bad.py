# A value of the step ends each loop early: the steps of a call end with the same one, and the same lines are shown.
import tensorflow as tf

TOLERANCE = 2e-3
points = tf.linspace(-1.0, 1.0, 20)
slope = tf.Variable(0.0)
shift = tf.Variable(1.0)


@tf.function
def descend(rate):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(slope * points + shift - 3.0 * points))
    gradients = tape.gradient(loss, [slope, shift])
    slope.assign_sub(rate * gradients[0])
    shift.assign_sub(rate * gradients[1])
    return loss


rate = tf.constant(0.3)
for step in range(400):
    loss = descend(rate)
    if step % 10 == 0:
        print(step, round(float(loss), 5), round(float(slope), 4))
    # near enough
    if loss < TOLERANCE:
        print("after", step, "steps")
        break
else:
    print("not near")

slope.assign(0.0)


def settle(limit=1e-2):
    losses = []
    for step in range(1, 300):
        loss = descend(rate)
        losses.append(float(loss))
        if float(loss) < limit:
            return step, losses
    return 300, losses


steps, losses = settle()


def until_finite():
    for _ in range(40):
        loss = descend(rate)
        if not tf.math.is_finite(loss) or loss.numpy() > 1e6:
            raise ValueError("no longer finite")
    return loss


last = until_finite()


def unless_finite(most):
    for step in range(most):
        loss = descend(tf.constant(-9.0))
        if not tf.math.is_finite(loss):
            break
    return step, loss


worst = unless_finite(60)
