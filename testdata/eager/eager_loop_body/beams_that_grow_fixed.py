"""Beams that each turn picks anew, and makes longer by a token: a trace for each length, unless it is relaxed."""

import tensorflow as tf

tf.keras.utils.set_random_seed(7)
BEAMS, WORDS = 3, 12
embedding = tf.keras.layers.Embedding(WORDS, 8)
model = tf.keras.Sequential([tf.keras.layers.GRU(8), tf.keras.layers.Dense(WORDS)])
beams = tf.ones([BEAMS, 1], tf.int32)
scores = tf.zeros([BEAMS])


@tf.function(reduce_retracing=True)
def compute_step(beams, scores):
    logits = tf.nn.log_softmax(model(embedding(beams), training=False))
    candidates = tf.reshape(logits + scores[:, None], [-1])
    scores, best = tf.math.top_k(candidates, BEAMS)
    rows, tokens = best // WORDS, best % WORDS
    kept = tf.gather_nd(beams, rows[:, None])
    beams = tf.concat([kept, tokens[:, None]], axis=-1)
    return beams, scores


for turn in range(25):
    beams, scores = compute_step(beams, scores)
print(beams.numpy(), scores.numpy())
