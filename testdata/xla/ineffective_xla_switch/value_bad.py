# Only `True` and `autoclustering` switch it on; other values do nothing, without a word.
import tensorflow as tf

tf.config.optimizer.set_jit("XLA")  # fuse what can be fused


@tf.function
def normalised(x):
    return (x - tf.reduce_mean(x)) / tf.math.reduce_std(x)


LEVEL = 2
tf.config.optimizer.set_jit(LEVEL)
result = normalised(tf.constant([1.0, 2.0, 4.0]))
