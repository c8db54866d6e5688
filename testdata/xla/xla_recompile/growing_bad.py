# Relaxed or declared shapes save traces, never compilations: each length is compiled.
import numpy as np
import tensorflow as tf

table = tf.reshape(tf.linspace(0.0, 1.0, 20), [5, 4])


@tf.function(jit_compile=True, reduce_retracing=True)
def next_token(tokens):
    embedded = tf.gather(table, tokens)
    return tf.argmax(tf.reduce_mean(embedded, axis=0), output_type=tf.int32)


@tf.function(jit_compile=True, input_signature=[tf.TensorSpec([None], tf.float32)])
def discounted(rewards):
    weights = tf.pow(0.9, tf.cast(tf.range(tf.shape(rewards)[0]), tf.float32))
    return tf.reduce_sum(rewards * weights)


tokens = tf.constant([1])
for _ in range(6):
    token = next_token(tokens)
    tokens = tf.concat([tokens, token[None]], axis=0)

rewards = []
returns = []
for step in range(6):
    rewards.append(0.5 * step)
    returns.append(discounted(np.array(rewards, dtype=np.float32)))

samples = tf.linspace(0.0, 1.0, 6)
tails = [0.0]
for step in range(6):
    tails.append(discounted(samples[step:]))
