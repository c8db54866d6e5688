# Batches padded to their longest member, and rows of a generator: sizes are the data's.
import tensorflow as tf


def sentences():
    for length in (3, 5, 2, 7, 4, 6, 8, 1):
        yield tf.range(length)


data = tf.data.Dataset.from_generator(
    sentences, output_signature=tf.TensorSpec([None], tf.int32)
)
lengths = tf.Variable(0)


@tf.function
def count(tokens):
    lengths.assign_add(tf.size(tokens))


def one_by_one():
    for tokens in data.shuffle(8, seed=1):
        count(tokens)


def in_pairs():
    for pair, tokens in enumerate(data.padded_batch(2, padded_shapes=[-1])):
        count(tokens)


one_by_one()
in_pairs()
print(lengths.numpy())
