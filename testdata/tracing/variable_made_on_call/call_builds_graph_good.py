"""Layers that a `call` makes are of the functional model, where nothing but the code that builds it calls that."""

import tensorflow as tf


class Scorer(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(20, 4)

    def call(self, inputs):
        users, items = inputs
        both = tf.keras.layers.concatenate([self.embedding(users), self.embedding(items)])
        return self.head(tf.keras.layers.BatchNormalization()(both))

    def head(self, features):
        return tf.keras.layers.Dense(1, activation="sigmoid")(features)

    def build_graph(self):
        users, items = tf.keras.Input([1]), tf.keras.Input([1])
        return tf.keras.Model([users, items], self.call([users, items]))


class Gate(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.kernel = None

    def call(self, inputs):
        if self.kernel is None:
            self.kernel = self.add_weight(name="kernel", shape=(inputs.shape[-1], 4), initializer="zeros")
        return tf.matmul(inputs, self.kernel)


model = Scorer().build_graph()
model.compile("sgd", "mse")
model.fit([tf.zeros([8, 1]), tf.zeros([8, 1])], tf.ones([8, 1, 1]), verbose=0)
