# The switch is under a flag, or in a function that nobody calls: TensorFlow 2.
import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--graph", action="store_true")
arguments = parser.parse_args([])

if arguments.graph:
    tf.compat.v1.disable_v2_behavior()


def use_graphs():
    tf.compat.v1.disable_eager_execution()


total = tf.reduce_sum(tf.ones([2, 2]))
