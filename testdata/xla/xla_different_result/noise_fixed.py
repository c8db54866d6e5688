# Stateless draws agree only by `philox`: the fix names the algorithm.
import tensorflow as tf

SEED = (4, 2)


@tf.function(jit_compile=True)
def perturbed(x):
    noise = tf.random.stateless_normal([4], seed=[1, 2], alg="philox")
    keep = tf.random.stateless_uniform(
        shape=[4],
        seed=SEED,  # the same on every call
        alg="philox",
    )
    return tf.where(keep > 0.25, x + noise, x)


result = perturbed(tf.constant([1.0, 2.0, 3.0, 4.0]))
