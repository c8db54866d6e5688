# Every turn reads the shapes of a batch, and keeps a bucket for each: that costs no operation.
import collections

import tensorflow as tf


def sentences():
    for length in (3, 5, 2, 7, 4, 6, 8, 1):
        yield list(range(length))


spec = tf.TensorSpec([None], tf.int32)
data = tf.data.Dataset.from_generator(sentences, output_signature=spec).padded_batch(2)

rows, widths, buckets = 0, [], collections.defaultdict(list)
for number, tokens in enumerate(data.prefetch(1)):
    rows += tokens.shape[0]
    widths.append(tokens.shape[1])
    buckets[tokens.shape[1] // 4].append(number)
print(rows, max(widths), sorted(buckets))
