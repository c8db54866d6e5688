# The function is called once for each `fit`, with rows of another number each time.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
every = np.random.default_rng(3).normal(size=(50, 2)).astype("float32")
truth = (every[:, 0] * every[:, 1] > 0).astype("int32")
labelled = list(range(8))
classifier = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(2)])
loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
classifier.compile("sgd", loss, jit_compile=False)


def doubtful(left, count):
    odds = tf.nn.softmax(classifier(left))
    best = tf.reduce_max(odds, axis=1) - tf.reduce_min(odds, axis=1)
    return tf.math.top_k(-best, count).indices.numpy().tolist()


for _ in range(10):
    classifier.fit(every[labelled], truth[labelled], epochs=2, verbose=0)
    left = [place for place in range(50) if place not in labelled]
    labelled += [left[place] for place in doubtful(every[left], 4)]
