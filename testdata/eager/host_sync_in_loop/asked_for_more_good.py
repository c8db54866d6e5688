# What a turn reads is needed by more than the end of the loop: each turn prints or looks it up.
import tensorflow as tf

tf.keras.utils.set_random_seed(5)
embed = tf.keras.layers.Embedding(16, 8)
head = tf.keras.layers.Dense(16)
words = [f"word{n}" for n in range(16)]
spoken = {}


@tf.function(reduce_retracing=True)
def following(tokens):
    scores = head(tf.reduce_mean(embed(tokens), axis=1))
    return tf.argmax(scores, axis=-1, output_type=tf.int32)


def told(start, end="word3"):
    tokens = start
    for _ in range(40):
        token = following(tokens)
        word = words[int(token[0])]
        if word == end:
            break
        spoken[word] = len(word)
        tokens = tf.concat([tokens, token[:, None]], axis=1)
    return tokens


found = told(tf.constant([[1, 2]]))
