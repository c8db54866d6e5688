# Batches are tuples, dicts or come from two data sets at once: they are stacked by their members.
import tensorflow as tf
import itertools

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


@tf.function
def on_pairs(all_batch):
    for turn in tf.range(len(tf.nest.flatten(all_batch)[0])):
        on_pair(tf.nest.map_structure(lambda part: part[turn], all_batch))


for all_batch in pairs.batch(16):
    on_pairs(all_batch)

totals = []


@tf.function
def on_nameds(all_batch_2):
    result_spec = on_named.get_concrete_function(
        tf.nest.map_structure(lambda part: part[0], all_batch_2)
    ).structured_outputs
    all_result = tf.TensorArray(
        result_spec.dtype, len(tf.nest.flatten(all_batch_2)[0]), element_shape=result_spec.shape
    )
    for turn in tf.range(len(tf.nest.flatten(all_batch_2)[0])):
        result = on_named(tf.nest.map_structure(lambda part: part[turn], all_batch_2))
        all_result = all_result.write(turn, result)
    return all_result.stack()


chunks = named.batch(16)
for epoch in range(3):
    total = 0.0
    for all_batch_2 in chunks:
        for result in tf.unstack(on_nameds(all_batch_2)):
            total += float(result)
    totals.append(total)
    print(epoch, round(total, 4))


@tf.function
def on_boths(all_x, all_y):
    for turn in tf.range(len(all_x)):
        on_both(all_x[turn], all_y[turn])


for all_batch_3 in named.batch(16):
    on_boths(all_batch_3["rows"], all_batch_3["sums"])


@tf.function
def on_nameds_2(all_batch):
    loss_spec = on_named.get_concrete_function(
        tf.nest.map_structure(lambda part: part[0], all_batch)
    ).structured_outputs
    all_loss = tf.TensorArray(
        loss_spec.dtype, len(tf.nest.flatten(all_batch)[0]), element_shape=loss_spec.shape
    )
    for turn in tf.range(len(tf.nest.flatten(all_batch)[0])):
        loss = on_named(tf.nest.map_structure(lambda part: part[turn], all_batch))
        all_loss = all_loss.write(turn, loss)
    return all_loss.stack()


turns = iter(enumerate(uneven))
while chunk := list(itertools.islice(turns, 4)):
    arguments = []
    for step, batch in chunk:
        arguments.append((batch,))
    results = []
    for _, alike in itertools.groupby(
        arguments, lambda parts: [part_2.shape for part_2 in tf.nest.flatten(parts)]
    ):
        results += tf.unstack(
            on_nameds_2(*tf.nest.map_structure(lambda *parts: tf.stack(parts), *alike))
        )
    for (step, batch), loss in zip(chunk, results):
        if step % 4 == 0:
            print(step, round(float(loss), 5))


@tf.function
def on_boths_2(all_x, all_y):
    for turn in tf.range(len(all_x)):
        on_both(all_x[turn], all_y[turn])


turns_2 = iter(zip(pairs, named))
while chunk_2 := list(itertools.islice(turns_2, 16)):
    arguments_2 = []
    for (x, y), other in chunk_2:
        arguments_2.append((x, other["sums"]))
    for _, alike_2 in itertools.groupby(
        arguments_2, lambda parts_2: [part_3.shape for part_3 in parts_2]
    ):
        on_boths_2(*map(tf.stack, zip(*alike_2)))


@tf.function
def on_pairs_2(all_batch):
    for turn in tf.range(len(tf.nest.flatten(all_batch)[0])):
        on_pair(tf.nest.map_structure(lambda part: part[turn], all_batch))


turns_3 = iter(uneven.map(lambda batch: (batch["rows"], batch["sums"])))
while chunk_3 := list(itertools.islice(turns_3, 16)):
    arguments_3 = []
    for x, y in chunk_3:
        arguments_3.append(((x, y),))
    for _, alike_3 in itertools.groupby(
        arguments_3, lambda parts_3: [part_4.shape for part_4 in tf.nest.flatten(parts_3)]
    ):
        on_pairs_2(*tf.nest.map_structure(lambda *parts_3: tf.stack(parts_3), *alike_3))
