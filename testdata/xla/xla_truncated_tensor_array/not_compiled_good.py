# Without XLA a dynamic array grows as it should.
import tensorflow as tf


@tf.function
def collatz(n):
    path = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
    step = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        path = path.write(step, n)
        step += 1
    return path.stack()


path = collatz(tf.constant(6))
