# No element is read here: few of them, elements of lists, arrays and data sets, whole rows that go
# on as tensors, the dimensions of a shape, and the parts of a tensor that one operation makes.
import tensorflow as tf

scores = tf.random.stateless_normal([200, 5], seed=[1, 2])
array = scores.numpy()
rows = tf.unstack(scores)
data = tf.data.Dataset.range(100)
names = ["a", "b"]
kept = [list(array), list(rows), list(data), list(scores[0]), tuple(names)]
largest = max(tf.reduce_max(scores), tf.constant(1.0))
sums = [tf.reduce_sum(row) for _, row in zip(names, rows)]
for turn in range(200):
    sizes = [int(size) for size in tf.shape(scores)]
    shape = tf.shape(scores)
    sizes += [int(size) for size in shape]
for number, element in enumerate(data):
    if element == 3:
        kept.append([number])
for name, row in zip(names, array):
    kept.append([name, float(row[0])])
print(len(kept), float(largest), len(sums), sizes)
