# The turns are counted: the last of them write past the size.
import tensorflow as tf


@tf.function(jit_compile=True)
def doubled(x):
    out = tf.TensorArray(tf.float32, size=4, dynamic_size=True, element_shape=[])
    for i in tf.range(8):
        out = out.write(i, x[i] * 2.0)
    return out.stack()


print(doubled(tf.range(8.0)).numpy())
