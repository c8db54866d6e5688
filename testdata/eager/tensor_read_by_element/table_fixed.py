# Two loops that index a tensor read it one number at a time, as often as it has numbers.
import tensorflow as tf

table = tf.random.stateless_normal([20, 30], seed=[1, 2])
longer = tf.random.stateless_normal([100], seed=[1, 2])
total, below = 0.0, 0
table_array = table.numpy()
for i in range(20):
    for j in range(30):
        total += float(table_array[i, j])

longer_array = longer.numpy()
for i in range(100):
    if float(table[0, 0]) > float(table[1, 1]) + float(longer_array[i]):
        below += 1
for turn in range(10):
    weights = tf.random.stateless_normal([12], seed=[turn, 1])
    weights_array = weights.numpy()
    kept = [weights_array[k] for k in range(12)]
print(round(total, 2), below, len(kept))
