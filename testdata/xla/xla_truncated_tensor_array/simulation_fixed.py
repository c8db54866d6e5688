# The loop tells how many members are written: the array is made of that size.
# intent: correcting
import tensorflow as tf


@tf.function(jit_compile=True)
def simulate(position: tf.Tensor, forces: tf.Tensor):
    path = tf.TensorArray(tf.float32, size=tf.shape(forces)[0])
    velocity = tf.zeros_like(position)
    for i in tf.range(tf.shape(forces)[0]):
        velocity += 0.1 * forces[i]
        position += 0.1 * velocity
        path = path.write(i, position)
    return path.stack()


path = simulate(tf.constant([0.0, 1.0]), tf.ones([5, 2]))
