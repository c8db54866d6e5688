# Others take from the same iterator, a step prints by itself, another is counted: no turn may run ahead.
import functools

import tensorflow as tf

weight = tf.Variable(1.0)
numbers = iter(tf.data.Dataset.range(200).map(lambda v: tf.cast(v, tf.float32)).batch(4))


@tf.function
def train_step(values):
    loss = tf.reduce_mean(tf.square(weight * values - 1.0))
    weight.assign_sub(0.0001 * tf.sign(loss))
    return loss


@tf.function
def telling_step():
    loss = tf.square(weight - 2.0)
    weight.assign_sub(0.01 * loss)
    tf.print("loss", loss)
    return loss


kept = []
for i in range(12):
    values = next(numbers)
    loss = train_step(values)
    if i % 4 == 0:
        kept.append((float(loss), next(numbers).numpy().sum()))

calls = []


def counted(function):
    @functools.wraps(function)
    def counting(*given):
        calls.append(len(calls))
        return function(*given)

    return counting


@counted
@tf.function
def counted_step():
    loss = tf.square(weight - 3.0)
    weight.assign_sub(0.01 * loss)
    return loss


for i in range(12):
    loss = telling_step()

for i in range(12):
    counted_step()
