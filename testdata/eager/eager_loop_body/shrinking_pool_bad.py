# Python reads a size that changes on each turn, which a relaxed trace would not know: no fix.
import tensorflow as tf

pool = tf.random.stateless_normal([24, 3], seed=[4, 9])
weights = tf.Variable(tf.ones([3, 1]))
optimizer = tf.keras.optimizers.SGD(0.05)

while pool.shape[0] > 4:
    with tf.GradientTape() as tape:
        score = tf.squeeze(pool @ weights, axis=1)
        loss = tf.reduce_mean(tf.square(score))
    optimizer.apply_gradients([(tape.gradient(loss, weights), weights)])
    # The number to keep is one of Python's, of a size that a relaxed trace would not know.
    best = tf.math.top_k(score, k=pool.shape[0] - 2).indices
    pool = tf.gather(pool, best)

final = weights.numpy()
