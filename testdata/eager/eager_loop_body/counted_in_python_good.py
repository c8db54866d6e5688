# The turns over the data count, and decode words in Python: there is no tensor work to trace.
import collections

import tensorflow as tf

lines = ["the cat sat", "a dog sat down", "the end", "cat and dog", "down the hill"]
labels = [0, 1, 0, 1, 1]
data = tf.data.Dataset.from_tensor_slices((lines, labels)).batch(2)

counts, positive, total = collections.Counter(), 0, 0
for texts, ys in data:
    for text in texts.numpy():
        counts.update(text.decode("utf-8").split())
    positive += int(ys.numpy().sum())
    total += texts.shape[0]

vocabulary = {word: number for number, (word, _) in enumerate(counts.most_common(), start=1)}
encoded = [[vocabulary[word] for word in line.split()] for line in lines]
longest = max(map(len, encoded))
padded = tf.constant([row + [0] * (longest - len(row)) for row in encoded])
print(padded.shape, positive / total)
