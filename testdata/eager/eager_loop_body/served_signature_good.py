# A loaded signature is a graph already: each turn is one call of it.
import tempfile

import tensorflow as tf


class Scorer(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(tf.reshape(tf.linspace(-1.0, 1.0, 8), [4, 2]))

    @tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32)])
    def score(self, x):
        scores = tf.tanh(x @ self.w)
        chances = tf.nn.softmax(scores)
        return {"best": tf.argmax(chances, axis=-1), "sure": tf.reduce_max(chances, axis=-1)}


scorer = Scorer()
queries = tf.data.Dataset.from_tensor_slices(tf.ones([24, 4])).batch(6)
with tempfile.TemporaryDirectory() as folder:
    tf.saved_model.save(scorer, folder, signatures={"serving_default": scorer.score})
    infer = tf.saved_model.load(folder).signatures["serving_default"]
    answers = []
    for x in queries:
        answers.append(infer(x=x)["best"])
    answers = tf.concat(answers, axis=0).numpy().tolist()
del folder, infer
