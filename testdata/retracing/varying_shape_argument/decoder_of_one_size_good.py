# The tokens grow inside of a buffer of one size, so that every call brings the same shape.
import tensorflow as tf

LENGTH = 16

embedding = tf.keras.layers.Embedding(12, 6, embeddings_initializer="ones")
head = tf.keras.layers.Dense(12, kernel_initializer="ones")
embedding(tf.constant([[1]]))
head(tf.zeros([1, 6]))


@tf.function
def next_token(tokens, place):
    seen = tf.cast(tf.range(LENGTH) <= place, tf.float32)[tf.newaxis, :, tf.newaxis]
    context = tf.reduce_sum(embedding(tokens) * seen, axis=1) / tf.reduce_sum(seen)
    chosen = tf.argmax(head(context), axis=-1, output_type=tf.int32)
    return tf.tensor_scatter_nd_update(tokens, [[0, place + 1]], chosen)


tokens = tf.one_hot([0], LENGTH, dtype=tf.int32)
for place in tf.range(LENGTH - 1):
    tokens = next_token(tokens, place)
print(tokens.shape)
