# Draws without a fixed seed differ from run to run anyway: a note.
import tensorflow as tf


def hidden(x, weights):
    return tf.nn.dropout(tf.nn.relu(x @ weights), rate=0.5)


@tf.function(jit_compile=True)
def sampled(logits, seed):
    uniform = tf.random.stateless_uniform(tf.shape(logits), seed=seed)
    picked = tf.argmax(logits - tf.math.log(-tf.math.log(uniform)), axis=-1)
    return picked, tf.random.categorical(logits, 2), hidden(logits, tf.eye(3))


picked, drawn, units = sampled(tf.zeros([2, 3]), tf.constant([1, 2]))
