# Operations on what is written out are worked out before XLA compiles the rest.
import tensorflow as tf

NAMES = ["first", "second"]


@tf.function(jit_compile=True)
def keys(x):
    first = tf.strings.to_hash_bucket_fast(["a", "b"], 5)
    second = tf.strings.to_hash_bucket_fast(tf.constant(["a", "b"]), 5)
    third = tf.strings.to_hash_bucket_fast(NAMES, 5)
    length = tf.strings.length(tf.strings.join(["a", "b"]))
    return x + tf.cast(first + second + third, tf.float32) + tf.cast(length, tf.float32)


keys(tf.constant([1.0, 2.0]))
