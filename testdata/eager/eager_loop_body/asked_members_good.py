# The members of an ensemble are asked once each: the loop has as many turns as there are models.
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
members = [
    tf.keras.Sequential([tf.keras.layers.Dense(units, "relu"), tf.keras.layers.Dense(2)])
    for units in (2, 4, 6, 8, 10)
]
x = tf.random.stateless_normal([6, 3], [1, 1])


def combined(members, x):
    total, votes = tf.zeros([6, 2]), tf.zeros([6], tf.int64)
    for member in members:
        chances = tf.nn.softmax(member(x, training=False))
        sureness = tf.reduce_max(chances, axis=-1, keepdims=True)
        total += chances * sureness
        votes += tf.argmax(chances, axis=-1)
    return tf.argmax(total, axis=-1), votes


best, votes = combined(members, x)
print(best.shape, int(tf.reduce_max(votes)) <= len(members))
