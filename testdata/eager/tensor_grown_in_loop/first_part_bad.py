# The first turn has nothing to join to: a test for None, or for the number of the turn, says so.
import tensorflow as tf

tf.keras.utils.set_random_seed(5)
model = tf.keras.Sequential([tf.keras.Input([6]), tf.keras.layers.Dense(3)])
rows = tf.random.normal([320, 6])
dataset = tf.data.Dataset.from_tensor_slices(rows).batch(8)


@tf.function
def embedded(batch):
    return tf.nn.l2_normalize(model(batch, training=False), axis=-1)


def embeddings(data):
    found = None
    for batch in data:
        part = embedded(batch)
        if found is not None:
            found = tf.concat([found, part], axis=0)
        else:
            found = part
    return found


def numbered(data):
    for number, batch in enumerate(data):
        part = embedded(batch)
        if number == 0:
            found = part
        else:
            found = tf.concat([found, part], axis=0)
    return found


found = embeddings(dataset)
again = numbered(dataset)
