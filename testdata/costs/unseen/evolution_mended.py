"""Evolution strategies: a policy is shaken, tried on a made-up task, and moved to what did well."""
import numpy as np
import tensorflow as tf

GENERATIONS = 2
rng = np.random.default_rng(11)
inputs = tf.constant(rng.normal(size=(20, 6)).astype("float32"))
wanted = tf.math.sin(tf.reduce_sum(inputs, axis=1))


@tf.function
def score(w1, w2):
    hidden = tf.nn.tanh(tf.matmul(inputs, w1))
    hidden = hidden / (1e-3 + tf.norm(hidden, axis=1, keepdims=True))
    made = tf.squeeze(tf.matmul(hidden, w2), axis=1)
    return -tf.reduce_mean(tf.square(made - wanted))


w1 = rng.normal(size=(6, 10)).astype("float32")
w2 = rng.normal(size=(10, 1)).astype("float32")
for generation in range(GENERATIONS):
    shakes, scores = [], []
    for _ in range(30):
        shake = rng.normal(size=w1.shape).astype("float32")
        shakes.append(shake)
        scores.append(float(score(tf.constant(w1 + 0.1 * shake), tf.constant(w2))))
    ranks = (np.array(scores) - np.mean(scores)) / (np.std(scores) + 1e-6)
    w1 = w1 + 0.02 * np.einsum("n,nij->ij", ranks, np.stack(shakes)).astype("float32")
print(max(scores))
