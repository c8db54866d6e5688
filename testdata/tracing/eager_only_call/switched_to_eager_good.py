# With `run_functions_eagerly` nothing is traced, so that values can be read.
import tensorflow as tf

tf.config.run_functions_eagerly(True)


@tf.function
def mean_of(x):
    # Nothing is traced while the switch is on; TXL105 speaks of that.
    return float(tf.reduce_mean(x).numpy())


mean = mean_of(tf.range(4.0))
