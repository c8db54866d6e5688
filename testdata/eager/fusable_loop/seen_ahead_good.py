# What is collected has another name, or lies in something else, by which the next turn's argument sees it.
import numpy as np
import tensorflow as tf

weight = tf.Variable(1.0)


@tf.function
def step(x):
    weight.assign_sub(0.01 * tf.reduce_mean(x))
    return weight * 2.0


kept = [0.0]
held = {"kept": kept}
for i in range(12):
    x = np.float32(len(held["kept"]))
    kept.append(step(tf.constant(x)))
kept = [float(each) for each in kept]


def run(seen, same):
    for i in range(12):
        x = np.float32(len(same))
        loss = step(tf.constant(x))
        seen.append(float(loss))


run(kept, kept)


class Log:
    def __init__(self):
        self.kept = [0.0]
        self.same = self.kept

    def run(self):
        for i in range(12):
            x = np.float32(len(self.same))
            loss = step(tf.constant(x))
            self.kept.append(float(loss))


log = Log()
log.run()

levels = np.zeros(13, np.float32)
view = levels[:]
for i in range(12):
    x = view[i]
    loss = step(tf.constant(x))
    levels[i + 1] = float(loss)
held = log = view = None
