# Numbers from a list are Python's own on each turn, a trace for each: reported without a fix.
import numpy as np
import tensorflow as tf

vectors = tf.Variable(tf.random.stateless_normal([20, 4], seed=[1, 7]))
optimizer = tf.keras.optimizers.SGD(0.1)
source = np.random.RandomState(5)
words = source.randint(0, 20, 16).tolist()


def pairs(sequence):
    for place, word in enumerate(sequence):
        yield word, sequence[(place * 5 + 2) % len(sequence)]


for word, beside in pairs(words):
    with tf.GradientTape() as tape:
        product = tf.reduce_sum(tf.nn.embedding_lookup(vectors, word) * vectors[beside])
        loss = tf.nn.softplus(-product)
    optimizer.apply_gradients([(tape.gradient(loss, vectors), vectors)])

final = vectors.numpy()
