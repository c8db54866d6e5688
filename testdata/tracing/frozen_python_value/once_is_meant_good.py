# Initial values, seeds and names of scopes are meant to be drawn once, and so is all in what runs once.
import random
import tempfile
import time
import uuid

import numpy as np
import tensorflow as tf


class Projection(tf.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.matrix = None
        self.offset = np.random.normal(size=size).astype(np.float32)

    @tf.function
    def __call__(self, x):
        if self.matrix is None:
            start = tf.constant(np.random.normal(size=(self.size, 2)), tf.float32)
            self.matrix = tf.Variable(start)
        return (x + self.offset) @ self.matrix


@tf.function
def noisy(x):
    seed = random.randint(0, 1000)
    noise = tf.random.uniform(tf.shape(x), seed=np.random.randint(1000))
    more = tf.random.uniform(tf.shape(x), seed=seed)
    with tf.name_scope(f"noise_{uuid.uuid4().hex}"):
        return x + noise + more


begin = time.time()
projected = Projection(3)(tf.ones([1, 3])).shape
shape = noisy(tf.ones([2])).shape
spent = time.time() - begin > 0.0


@tf.function
def exported(x):
    path = tempfile.gettempdir() + "/" + uuid.uuid4().hex
    tf.io.write_file(path, tf.strings.as_string(tf.reduce_sum(x)))


def main():
    exported(tf.ones([2]))


main()
