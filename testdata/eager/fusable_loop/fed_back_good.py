# Each step is given what the last one gave, or what Python made of it: nothing is fused.
import tensorflow as tf


@tf.function
def decay(state, push):
    drift = tf.sin(state) + tf.cos(2.0 * state) - 0.1 * state
    return state + 0.1 * push * drift


state = tf.constant([0.1, 0.4])
for i in range(25):
    state = decay(state, tf.constant(1.0))

seen = []
push = tf.constant(1.0)
for i in range(25):
    moved = decay(tf.constant([0.3, 0.2]), push)
    push = tf.reduce_mean(moved)
    seen.append(float(push))
