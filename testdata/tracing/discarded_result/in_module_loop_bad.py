# What stands in a loop of a module is shown by no notebook; a pipeline that grew on each epoch is no fix.
import tensorflow as tf


def load(rows):
    data = tf.data.Dataset.from_tensor_slices(rows)
    return data.take(6), data.skip(6)


train, test = load(tf.range(8))
orders = []
for epoch in range(3):
    train.shuffle(6, seed=1)
    orders.append([int(row) for row in train])
assert orders[0] == orders[2] == [0, 1, 2, 3, 4, 5]
