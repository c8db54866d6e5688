# A list keeps the parts, and they are joined once behind the loop.
import tensorflow as tf

tf.keras.utils.set_random_seed(5)
model = tf.keras.Sequential([tf.keras.Input([6]), tf.keras.layers.Dense(3)])
rows = tf.random.normal([320, 6])
dataset = tf.data.Dataset.from_tensor_slices(rows).batch(8)


@tf.function
def embedded(batch):
    return tf.nn.l2_normalize(model(batch, training=False), axis=-1)


def embeddings(data):
    parts, found = [], tf.zeros([0, 3])
    for batch in data:
        parts.append(embedded(batch))
    found = tf.concat([found, *parts], axis=0)
    return found


found = embeddings(dataset)
