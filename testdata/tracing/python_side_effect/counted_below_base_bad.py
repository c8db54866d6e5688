# The class above reads the counter, where it writes a file, and is handed to code that is not known.
import os
import tempfile

import numpy as np
import tensorflow as tf


class Search:
    def __init__(self, path):
        self.path = path
        self.turn = 0
        self.best = None

    def goal(self, point):
        raise NotImplementedError

    def ask(self, point):
        value = self.goal(tf.constant(point)).numpy()
        self.note(value)
        return value

    def note(self, value):
        with open(self.path, "a") as log:
            log.write(f"{self.turn} {value}\n")

    def run(self, start, minimize):
        self.best = minimize(self.ask, start)


class Bowl(Search):
    @tf.function
    def goal(self, point):
        self.turn += 1
        return tf.reduce_sum(tf.square(point - 1.0))


def smallest(ask, start):
    return min((ask(start + 0.1 * turn) for turn in range(5)), default=None)


folder = tempfile.mkdtemp()
search = Bowl(os.path.join(folder, "turns.txt"))
getattr(search, "run")(np.zeros(2, dtype=np.float32), [None, smallest][-1])
best = search.best
