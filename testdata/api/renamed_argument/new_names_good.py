# The new names draw nothing.
import tensorflow as tf


@tf.function(jit_compile=True, reduce_retracing=True)
def double(x):
    return 2.0 * x


tf.config.run_functions_eagerly(False)
lengths = tf.map_fn(tf.strings.length, tf.constant(["a", "bc"]), fn_output_signature=tf.int32)
doubled = double(tf.ones([2]))
