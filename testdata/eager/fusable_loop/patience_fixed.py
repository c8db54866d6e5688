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


@tf.function
def descends(count, rate):
    result_spec = descend.get_concrete_function(rate).structured_outputs
    all_result = tf.TensorArray(result_spec.dtype, count, element_shape=result_spec.shape)
    for turn in tf.range(count):
        result = descend(rate)
        all_result = all_result.write(turn, result)
    return all_result.stack()


ready = []
for step in range(300):
    if not ready:
        ready = tf.unstack(descends(tf.constant(min(300 - step, PATIENCE - waited)), tf.constant(0.4)))
    loss = float(ready.pop(0))
    losses.append(loss)
    if loss < best - 1e-5:
        best, waited = loss, 0
    else:
        waited += 1
        if waited >= PATIENCE:
            print("no better since", step - waited, round(best, 4), round(float(slope), 4))
            break

slope.assign(-2.0)


@tf.function
def descends_2(count, rate):
    loss_spec = descend.get_concrete_function(rate).structured_outputs
    all_loss = tf.TensorArray(loss_spec.dtype, count, element_shape=loss_spec.shape)
    for turn in tf.range(count):
        loss = descend(rate)
        all_loss = all_loss.write(turn, loss)
    return all_loss.stack()


def settle(patience, most=200):
    least, worse = 9.0, 0
    ready_2 = []
    for step in range(most):
        if not ready_2:
            ready_2 = tf.unstack(
                descends_2(
                    tf.constant(int(min((0 - step) % 25 + 1, most - step, max(1, patience - worse + 1)))),
                    tf.constant(-0.02),
                )
            )
        loss = ready_2.pop(0)
        if step % 25 == 0:
            print(step, round(float(loss), 4), round(float(slope), 4))
        worse = 0 if loss < least else worse + 1
        least = min(least, float(loss))
        if worse > patience:
            return step, least, float(slope)
    return most, least, float(slope)


ends = [settle(0), settle(12)]
