# `enumerate` gives numbers too, and each element of another tensor that one takes is read by itself.
import tensorflow as tf

names = ["none", "person", "place"]
truth = tf.random.stateless_uniform([6, 9], seed=[1, 2], maxval=3, dtype=tf.int32)
guesses = tf.random.stateless_uniform([6, 9], seed=[3, 4], maxval=3, dtype=tf.int32)
data = tf.data.Dataset.from_tensor_slices((truth, guesses)).repeat(3).batch(6)
found, meant = [], []
for labels, predictions in data:
    predictions_array = predictions.numpy()
    for row, words in enumerate(labels):
        kept = []
        for place, word in enumerate(words):
            if place == 0:
                continue
            kept.append(names[predictions_array[row][place]])
        found.append(kept)
    meant.append(int(tf.reduce_sum(labels)))
print(len(found), sum(meant))
