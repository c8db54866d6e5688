# Turns that depend on one another, or draw, or leave early, can't be taken at once.
import tensorflow as tf

inputs = tf.random.stateless_normal([50, 4], seed=[2, 2])
total = tf.Variable(tf.zeros([4]))


def recurrent():
    state = tf.zeros([4])
    states = []
    for row in inputs:
        state = tf.tanh(state + row)
        states.append(state)
    return tf.stack(states)


def until():
    kept = []
    for row in inputs:
        if tf.reduce_sum(row) > 3.0:
            break
        kept.append(tf.square(row))
    return tf.stack(kept)


def running():
    sums = []
    for row in inputs:
        total.assign_add(row)
        sums.append(total * 1.0)
    return tf.stack(sums)


def noisy():
    return tf.stack([row + tf.random.normal([4]) for row in inputs])


results = [recurrent(), until(), running(), noisy()]
