# A checkpoint has what it tracks as attributes: the model that is run here is the one made below.
import tensorflow as tf


class Evaluator:
    """Measures a model that a checkpoint keeps."""

    def __init__(self, model):
        self.checkpoint = tf.train.Checkpoint(step=tf.Variable(0), model=model)

    def evaluate(self, data):
        return [score(self.checkpoint.model, x, y) for x, y in data]


@tf.function
def score(model, x, y):
    error = model(x) - y
    return tf.sqrt(tf.reduce_mean(tf.square(error)))


model = tf.keras.Sequential([tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])
data = tf.data.Dataset.from_tensor_slices((tf.ones([64, 3]), tf.ones([64, 1]))).batch(4)
evaluator = Evaluator(model)
for epoch in range(20):
    evaluator.evaluate(data)
