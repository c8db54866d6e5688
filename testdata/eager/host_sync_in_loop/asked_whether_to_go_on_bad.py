# A loop that goes on with what it computed asks the device, on each turn, whether it is at its end.
import tensorflow as tf

tf.keras.utils.set_random_seed(5)
embed = tf.keras.layers.Embedding(16, 8)
head = tf.keras.layers.Dense(16)


@tf.function(reduce_retracing=True)
def following(tokens):
    scores = head(tf.reduce_mean(embed(tokens), axis=1))
    return tf.argmax(scores, axis=-1, output_type=tf.int32)


def decoded(start, most=40, end=3):
    tokens = start
    for _ in range(most):
        token = following(tokens)
        if int(token[0]) == end:
            break
        tokens = tf.concat([tokens, token[:, None]], axis=1)
    return tokens


def settled(point, limit=0.01):
    moved = tf.constant(1.0)
    while moved > limit:
        after = halved(point)
        moved = tf.reduce_max(tf.abs(point - after))
        point = after
    return point


@tf.function
def halved(point):
    return point * 0.5


found = decoded(tf.constant([[1, 2]]))
end = settled(tf.constant([4.0, 2.0]))
