# A tensor that is longer on each turn comes in with its shape relaxed.
import tensorflow as tf

table = tf.Variable(tf.random.stateless_normal([9, 4], seed=[5, 2]))
scores = tf.random.stateless_normal([4, 9], seed=[2, 8])


def continued(prompt, count):
    ids = tf.constant([prompt])
    for _ in range(count):
        # Each turn is a token longer.
        context = tf.reduce_mean(tf.nn.embedding_lookup(table, ids), axis=1)
        logits = tf.tanh(context) @ scores
        following = tf.argmax(logits, axis=1, output_type=tf.int32)
        ids = tf.concat([ids, following[:, None]], axis=1)
    return ids


first = continued([1, 4], 9)
second = continued([3], 9)
