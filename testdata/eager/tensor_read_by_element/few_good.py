# A few elements, those of a data set, elements that stay tensors, and reads now and then are no case.
import tensorflow as tf

scores = tf.random.stateless_normal([200, 5], seed=[1, 2])
pair = tf.argmax(scores[:2], axis=1)
labels = [int(index) for index in pair]
means = [tf.reduce_mean(row) for row in scores]
shown = []
for number in range(200):
    if number % 50 == 0:
        shown.append(float(scores[number, 0]))
data = tf.data.Dataset.range(100)
elements = [int(element) for element in data]
array = scores.numpy()
firsts = [scores[0][k].numpy() for k in range(5)]
best = [float(array[i, 0]) for i in range(200)]
print(labels, len(means), len(shown), len(elements), len(firsts), len(best))
