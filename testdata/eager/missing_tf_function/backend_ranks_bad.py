# Ranks and shapes that `backend` reads are static: asserting on them blocks nothing.
import tensorflow as tf
from tensorflow.keras import backend as K

weights = tf.Variable(tf.random.stateless_normal([4, 4], [1, 2]))
optimizer = tf.keras.optimizers.SGD(0.1)


def product(first, second):
    rank = K.ndim(first)
    assert K.ndim(second) in (2, 3), "a matrix, or several of them"
    if K.is_sparse(first):
        return tf.sparse.sparse_dense_matmul(first, second)
    if rank in (2, 3) and K.int_shape(second)[-1] != 1:
        return tf.matmul(first, second)
    return tf.linalg.matvec(first, second)


def train_step(features):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(product(features, weights)))
    gradients = tape.gradient(loss, [weights])
    optimizer.apply_gradients(zip(gradients, [weights]))
    return loss


for step in range(20):
    train_step(tf.random.stateless_normal([4, 4], [3, 4]))
