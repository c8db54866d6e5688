# `cache` behind the only `shuffle` keeps the order of the first epoch, whoever reads it again.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
rows = tf.random.stateless_uniform([12, 2], seed=[1, 1])


def prepared(features):
    data = tf.data.Dataset.from_tensor_slices((features, features[:, :1]))
    return data.shuffle(12).map(lambda x, y: (2.0 * x, y)).cache().batch(4)


data = prepared(rows)
model.fit(data, epochs=3, verbose=0)

orders = []
numbers = tf.data.Dataset.range(8).shuffle(8).batch(2).cache().prefetch(1)
for epoch in range(2):
    for batch in numbers:
        orders.append(tf.reduce_sum(batch * batch))
assert [int(order) for order in orders[:4]] == [int(order) for order in orders[4:]]
