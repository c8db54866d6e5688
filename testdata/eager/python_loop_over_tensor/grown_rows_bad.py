# What a loop over a data set has joined has as many rows as that has batches, at least, whoever calls this.
import tensorflow as tf


class Explainer:
    def __init__(self, kernel, batch_size=4):
        self.kernel = kernel
        self.batch_size = batch_size

    def explain(self, inputs):
        maps = None
        size = self.batch_size if self.batch_size is not None else len(inputs)
        for x in tf.data.Dataset.from_tensor_slices(inputs).batch(size):
            found = self.weigh(x)
            maps = found if maps is None else tf.concat([maps, found], axis=0)
        return tf.map_fn(lambda m: tf.cumsum(m) - m, tf.expand_dims(maps, axis=-1))

    @tf.function
    def weigh(self, x):
        return tf.tanh(x @ self.kernel)


explainer = Explainer(tf.ones([3, 2]))
maps = explainer.explain(tf.reshape(tf.cos(tf.range(30.0)), (10, 3)))
