"""Objects that a step makes and leaves with others would hold what only its trace knows."""

import tensorflow as tf

made = []


class Registered:
    def __init__(self, mean):
        self.mean = mean
        made.append(self)


class Noted:
    def __init__(self, owner, mean):
        self.mean = mean
        owner.last = self


class Owner:
    pass


owner = Owner()


def registered(x):
    found = Registered(tf.reduce_mean(x))
    bent = tf.exp(found.mean) + tf.tanh(found.mean) * tf.square(found.mean)
    return tf.reduce_sum(tf.nn.softmax(x * bent) - tf.nn.softplus(x) / (1.0 + tf.abs(bent)))


def noted(x):
    found = Noted(owner, tf.reduce_mean(x))
    bent = tf.exp(found.mean) + tf.tanh(found.mean) * tf.square(found.mean)
    return tf.reduce_sum(tf.nn.softmax(x * bent) - tf.nn.softplus(x) / (1.0 + tf.abs(bent)))


for x in tf.data.Dataset.from_tensors(tf.ones([4])).repeat(50):
    registered(x)
    noted(x)
