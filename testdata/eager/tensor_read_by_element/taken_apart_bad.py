# A builtin that goes through a tensor slices it once for each element, as a loop does.
import tensorflow as tf

scores = tf.random.stateless_normal([100, 5], seed=[1, 2])
indices = tf.argmax(scores, axis=1)
kept = list(indices)
rows = tuple(scores)
numbers = list(map(int, indices))
highest = max(indices)
for turn in range(40):
    weights = tf.random.stateless_normal([12], seed=[turn, 1])
    parts = list(weights + 1.0)
print(len(kept), len(rows), numbers[:3], int(highest), len(parts))
