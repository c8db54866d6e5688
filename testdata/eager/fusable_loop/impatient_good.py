# These counters say nothing of how many turns are left: what they lack may be less than it looks, or too few.
import numpy as np
import tensorflow as tf

level = tf.Variable(4.0)


@tf.function
def fall():
    level.assign_sub(0.05 * level)
    return tf.square(level)


def faster(start):
    # it may begin anywhere
    best, waited = np.inf, start
    for turn in range(100):
        loss = float(fall())
        if loss < 0.9 * best:
            best, waited = loss, 0
        else:
            waited += 1
            if waited >= 9:
                break
    return turn


def twice():
    # two statements count
    best, waited = np.inf, 0
    for turn in range(100):
        loss = float(fall())
        if loss > 1.0:
            waited += 1
        if loss > 0.9 * best:
            waited += 1
        best = min(best, loss)
        if waited >= 9:
            break
    return turn


def seen():
    # what is kept of the best turn is the variable itself
    best, waited, kept = np.inf, 0, 0.0
    for turn in range(100):
        loss = float(fall())
        if loss < 0.9 * best:
            best, waited, kept = loss, 0, float(level)
        else:
            waited += 1
            if waited >= 9:
                break
    return turn, kept


def soon():
    # so few steps are not worth a call
    waited = 0
    for turn in range(100):
        loss = fall()
        waited = 0 if loss > 1e-3 else waited + 1
        if waited == 2:
            break
    return turn


def thrice():
    # each turn may count more than once
    waited = 0
    for turn in range(100):
        loss = fall()
        for limit in (1.0, 0.1, 0.01):
            if loss < limit:
                waited += 1
        if waited >= 30:
            break
    return turn


ends = [thrice(), faster(2), twice(), seen(), soon()]
