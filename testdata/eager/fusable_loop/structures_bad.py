# Batches are tuples, dicts or come from two data sets at once: they are stacked by their members.
import tensorflow as tf

rows = tf.reshape(tf.range(96.0) / 96.0, [48, 2])
sums = tf.reduce_sum(rows, 1, keepdims=True)
weights = tf.Variable(tf.zeros([2, 1]))
pairs = tf.data.Dataset.from_tensor_slices((rows, sums)).batch(4, drop_remainder=True)
named = tf.data.Dataset.from_tensor_slices({"rows": rows, "sums": sums}).batch(4, drop_remainder=True)
uneven = tf.data.Dataset.from_tensor_slices({"rows": rows, "sums": sums}).batch(5)


def update(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ weights - y))
    weights.assign_sub(0.1 * tape.gradient(loss, weights))
    return loss


@tf.function
def on_pair(batch):
    x, y = batch
    return update(x, y)


@tf.function
def on_named(batch):
    return update(batch["rows"], batch["sums"])


@tf.function
def on_both(x, y):
    return update(x, y)


for batch in pairs:
    on_pair(batch)

totals = []
for epoch in range(3):
    total = 0.0
    for batch in named:
        total += float(on_named(batch))
    totals.append(total)
    print(epoch, round(total, 4))

for batch in named:
    on_both(batch["rows"], batch["sums"])

for step, batch in enumerate(uneven):
    loss = on_named(batch)
    if step % 4 == 0:
        print(step, round(float(loss), 5))

for (x, y), other in zip(pairs, named):
    on_both(x, other["sums"])

for x, y in uneven.map(lambda batch: (batch["rows"], batch["sums"])):
    on_pair((x, y))
