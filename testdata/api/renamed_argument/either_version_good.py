# Another side of the test, which some flag or the version decides, has the new name.
# tf-version: 2.15
import sys

import tensorflow as tf

MINOR = int(tf.__version__.split(".")[1])
IS_OLD = MINOR < 5
total = tf.reduce_sum
mean = tf.keras.metrics.Mean()

if MINOR < 5:
    fast = tf.function(total, experimental_compile=True)
else:
    fast = tf.function(total, jit_compile=True)

relaxed = (
    tf.function(total, experimental_relax_shapes=True)
    if "--old" in sys.argv
    else tf.function(total, reduce_retracing=True)
)

if IS_OLD:
    tf.config.experimental_run_functions_eagerly(False)


def restart():
    if "--old" in sys.argv:
        mean.reset_states()
        return
    mean.reset_state()


restart()
print(fast(tf.ones([3])), relaxed(tf.ones([3])))
