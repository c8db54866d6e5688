# Few operations on few turns are few in one call as well, and so is what is done on one turn in many.
import tensorflow as tf


def smoothed(x):
    for _ in range(2):
        x = 0.5 * x + 0.1
    return x


def checked(x, steps):
    for step in range(steps):
        if step % 1000 == 999:
            x = x * 0.5 + 0.1
    return x


result = tf.zeros([8])
for batch in range(200):
    result = smoothed(result)
    result = checked(result, 10)
