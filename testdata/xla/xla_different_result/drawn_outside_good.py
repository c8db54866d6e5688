# Noise is drawn outside, by `philox`, or in integers, which XLA draws as the other does.
import tensorflow as tf

tf.random.set_seed(7)


@tf.function(jit_compile=True)
def perturbed(x, noise):
    picks = tf.random.stateless_uniform([4], seed=[1, 2], maxval=4, dtype=tf.int32)
    fixed = tf.random.stateless_normal([4], seed=[5, 6], alg="philox")
    return tf.gather(x + noise, picks) + fixed


x = tf.constant([1.0, 2.0, 3.0, 4.0])
result = perturbed(x, tf.random.normal([4]))
