# One session to restore an old graph, through `compat.v1`, is TensorFlow 2.
import tensorflow as tf


@tf.function
def square(x):
    return x * x


def restore(path):
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        saver = tf.compat.v1.train.import_meta_graph(path + ".meta")
        saver.restore(session, path)
        return session.run(tf.compat.v1.trainable_variables())


nine = square(tf.constant(3.0))
