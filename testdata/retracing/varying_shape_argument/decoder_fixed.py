# A tensor that `concat` lengthens on each turn, until a break: its size is left open.
import tensorflow as tf

embedding = tf.keras.layers.Embedding(12, 6, embeddings_initializer="ones")
head = tf.keras.layers.Dense(12, kernel_initializer="ones")
embedding(tf.constant([[1]]))
head(tf.zeros([1, 6]))


@tf.function(input_signature=[tf.TensorSpec([1, None], tf.int32)])
def next_token(tokens):
    context = tf.reduce_mean(embedding(tokens), axis=1)
    return tf.argmax(head(context), axis=-1, output_type=tf.int32)


tokens = tf.constant([[1]])
for _ in range(15):
    chosen = next_token(tokens)
    if int(chosen[0]) == 11:
        break
    tokens = tf.concat([tokens, chosen[:, tf.newaxis]], axis=1)
print(tokens.shape)
