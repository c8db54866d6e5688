# A mask picks another number of rows on each turn: the shape of the argument is relaxed.
import numpy as np
import tensorflow as tf

source = np.random.RandomState(3)
table = source.normal(size=[48, 3]).astype(np.float32)
weights = tf.Variable(tf.ones([3]))

for turn in range(12):
    rows = table[source.uniform(size=48) > 0.5]
    with tf.GradientTape() as tape:
        output = tf.linalg.matvec(rows, weights)
        loss = tf.reduce_mean(tf.square(output - 1.0)) + 0.01 * tf.nn.l2_loss(weights)
    weights.assign_sub(0.05 * tape.gradient(loss, weights))

final = weights.numpy()
