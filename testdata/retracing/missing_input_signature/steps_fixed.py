# What the calls pass is known: the signature is what all of them have in common.
import tensorflow as tf

weights = tf.Variable(tf.ones([4, 1]), dtype=tf.float32)


@tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32)])
def predict(rows):
    return rows @ weights


class Regression:
    @tf.function(
        jit_compile=False,
        input_signature=[
            tf.TensorSpec([6, 4], tf.float32), tf.TensorSpec([6, 1], tf.float32)
        ],
    )
    def loss(self, rows, targets):
        return tf.reduce_mean(tf.square(predict(rows) - targets))


rows = tf.ones([6, 4], tf.float32)
more = tf.ones([2, 4], tf.float32)
outcome = Regression().loss(rows, tf.zeros([6, 1], tf.float32))
few = predict(more)
many = predict(rows)
