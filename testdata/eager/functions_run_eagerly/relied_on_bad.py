# A traced function reads values by `.numpy()` and works only thanks to the switch: no fix.
import tensorflow as tf

tf.config.run_functions_eagerly(True)


@tf.function
def mean_of(x):
    total = tf.reduce_mean(x)
    return round(float(total.numpy()), 3)


value = mean_of(tf.range(5.0))
