# A function that is defined in a branch may be called later: AutoGraph takes the names that it reads
# for read after the branch. For a lambda it takes those for read where the lambda stands.
import tensorflow as tf

flag = tf.Variable(True)


@tf.function
def picked(x):
    if flag:
        at = tf.where(x > 0.0)[:, 0]

        def pick(values):
            return tf.gather(values, at)

        x = pick(x)
    return tf.reduce_sum(x)


try:
    picked(tf.constant([1.0, -2.0, 3.0]))
    failed = False
except Exception:
    failed = True
