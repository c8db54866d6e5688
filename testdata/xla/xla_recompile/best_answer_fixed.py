# Indexing by a tensor takes a constant for XLA: `tf.gather` doesn't.
import tensorflow as tf


@tf.function(jit_compile=True)
def best_answer(answers: tf.Tensor, scores: tf.Tensor):
    scores = tf.nn.softmax(scores)
    best = tf.argmax(scores)
    surest = tf.gather(scores, best)  # how sure the choice is
    return surest, tf.gather(answers, best)


answers = tf.range(4)
chosen = []
for scores in ([0.1, 0.7, 0.2, 0.0], [0.9, 0.3, 0.2, 0.1], [0.0, 0.1, 0.2, 0.4]):
    chosen.append(best_answer(answers, tf.constant(scores)))
