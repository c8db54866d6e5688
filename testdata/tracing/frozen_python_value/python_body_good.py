# Python draws on each call in generators, `numpy_function` and what stands around a trace.
import random
import time

import numpy as np
import tensorflow as tf


def jitter(image):
    return image + np.random.uniform(-0.1, 0.1, size=image.shape).astype(np.float32)


def examples():
    for _ in range(3):
        yield random.random()


def augment(image):
    return tf.numpy_function(jitter, [image], tf.float32)


def timed(step, x):
    begin = time.time()
    step(x)
    return time.time() - begin


@tf.function
def step(x):
    if tf.executing_eagerly():
        return x * random.random()
    return x * tf.random.uniform([])


data = tf.data.Dataset.from_generator(examples, output_signature=tf.TensorSpec((), tf.float32))
shapes = [image.shape for image in data.map(lambda x: tf.fill([2], x)).map(augment)]
spent = timed(step, tf.ones([2])) > 0.0
