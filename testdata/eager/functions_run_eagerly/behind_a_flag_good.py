# The switch depends on a flag or takes its value: somebody asks for it, so it may stay.
import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--debug", action="store_true")
parser.add_argument("--eager", action="store_true")
options = parser.parse_args([])

if options.debug:
    tf.config.run_functions_eagerly(True)
tf.config.run_functions_eagerly(options.eager)


@tf.function
def double(x):
    return 2.0 * x


doubled = double(tf.constant(2.0))
