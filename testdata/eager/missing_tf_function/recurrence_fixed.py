# Few operations that a loop inside repeats are many in one call: what a function asks is counted with its turns.
import tensorflow as tf


@tf.function
def advantages(rewards, values, decay=0.9):
    deltas = rewards + decay * values[1:] - values[:-1]
    found = tf.TensorArray(tf.float32, 50)
    last = tf.zeros_like(deltas[0])
    for i in range(49, -1, -1):
        last = last * decay + deltas[i]
        found = found.write(i, last)
    return found.stack()


result = tf.zeros([])
for batch in range(200):
    result = result + tf.reduce_sum(advantages(tf.ones([50, 8]), tf.fill([51, 8], 0.01 * batch)))
