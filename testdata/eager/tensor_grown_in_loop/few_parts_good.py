# Four parts are soon copied.
import tensorflow as tf

rows = tf.random.stateless_normal([4, 6], seed=[1, 2])


def doubled(parts):
    found = tf.zeros([0])
    for part in range(parts):
        found = tf.concat([found, rows[part] * 2.0], axis=0)
    return found


found = doubled(4)
