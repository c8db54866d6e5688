# Draws that decide in Python, texts, spans of time, and XLA code have no tensor to stand in.
# intent: correcting
import random
import time
import uuid
from datetime import datetime

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)


def augment(x):
    # Every image is flipped, or none is.
    if random.random() < 0.5:
        x = tf.reverse(x, axis=[0])
    return x * float(rng.uniform(0.5, 1.5))


def label(x):
    stamp = datetime.now().isoformat() + str(uuid.uuid4())
    return tf.strings.join([stamp, tf.as_string(x)])


@tf.function(jit_compile=True)
def compiled_time(x):
    return x + tf.cast(time.time(), tf.float32)


@tf.function
def timed(x):
    begin = time.perf_counter()
    y = tf.reduce_sum(x * x)
    spent = time.perf_counter() - begin
    return y, spent


rows = tf.data.Dataset.from_tensor_slices(tf.ones([3, 2])).map(augment).map(label)
count = int(rows.reduce(0, lambda total, row: total + 1))
later = compiled_time(tf.constant(0.0)) > 0.0
spent = timed(tf.ones([2]))[1]
