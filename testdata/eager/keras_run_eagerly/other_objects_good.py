# A class of one's own with the same words is no Keras model.
import tensorflow as tf


class Pipeline:
    """It has the same words as a Keras model and none of the meaning."""

    def __init__(self):
        self.run_eagerly = True

    def compile(self, name, run_eagerly=False):
        self.run_eagerly = run_eagerly
        return name


pipeline = Pipeline()
name = pipeline.compile("stage", run_eagerly=True)
pipeline.run_eagerly = True
total = tf.add(1, 2)
