# A counter of turns that bring nothing ends each loop: it cannot reach its limit before as many turns as it lacks.
import numpy as np
import tensorflow as tf

PATIENCE = 6
points = tf.linspace(-1.0, 1.0, 20)
slope = tf.Variable(0.0)


@tf.function
def descend(rate):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(slope * points - tf.sin(3.0 * points)))
    slope.assign_sub(rate * tape.gradient(loss, slope))
    return loss


best, waited, losses = np.inf, 0, []
for step in range(300):
    loss = float(descend(tf.constant(0.4)))
    losses.append(loss)
    if loss < best - 1e-5:
        best, waited = loss, 0
    else:
        waited += 1
        if waited >= PATIENCE:
            print("no better since", step - waited, round(best, 4), round(float(slope), 4))
            break

slope.assign(-2.0)


def settle(patience, most=200):
    least, worse = 9.0, 0
    for step in range(most):
        loss = descend(tf.constant(-0.02))
        if step % 25 == 0:
            print(step, round(float(loss), 4), round(float(slope), 4))
        worse = 0 if loss < least else worse + 1
        least = min(least, float(loss))
        if worse > patience:
            return step, least, float(slope)
    return most, least, float(slope)


ends = [settle(0), settle(12)]
