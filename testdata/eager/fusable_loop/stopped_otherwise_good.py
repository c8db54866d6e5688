# What ends these loops early is not told by what one step gave: a graph would have to know Python's own state.
import numpy as np
import tensorflow as tf

level = tf.Variable(4.0)


@tf.function
def fall():
    level.assign_sub(0.05 * level)
    return tf.square(level)


# the step before is compared with
before = 0.0
for turn in range(100):
    now = float(fall())
    if abs(before - now) < 1e-3:
        break
    before = now

# patience starts anew with less than it had
best, waited = np.inf, 0
for turn in range(100):
    loss = fall()
    waited = 3 if loss < 0.9 * best else waited + 1
    best = min(best, float(loss))
    if waited > 8:
        break

# what is better takes as much of it as the turns before
used, limit = 0, 9
for turn in range(60):
    if float(fall()) > 1e-6:
        used += 1
        limit -= 1
    if used >= limit:
        break

# the limit moves with the turns
for turn in range(60):
    loss = fall()
    if float(loss) < 0.01 * turn:
        break

# the variable is looked at, not what the step gave
for turn in range(60):
    loss = fall()
    if float(level) < 1e-4:
        break

# two statements leave the loop
for turn in range(60):
    loss = fall()
    if loss < 1e-7:
        break
    if turn > 20 and loss > 1.0:
        break
ended = turn, float(loss)
