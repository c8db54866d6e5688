# Python slices arrays for each turn: it does so for several, stacks what is alike, and adds up afterwards.
import numpy as np
import tensorflow as tf
import itertools

BATCH = 16
EPOCHS = 3
order_rng = np.random.RandomState(7)
points = order_rng.uniform(-1, 1, size=(100, 2)).astype("float32")
values = np.sin(3 * points[:, :1]) * points[:, 1:]
kernel = tf.Variable(tf.zeros([2, 8]) + tf.range(8.0) / 8.0)
readout = tf.Variable(tf.zeros([8, 1]))


@tf.function(reduce_retracing=True)
def fit_batch(at, wanted, lr):
    with tf.GradientTape() as tape:
        error = tf.tanh(at @ kernel) @ readout - wanted
        loss = tf.reduce_mean(tf.square(error))
    for variable, gradient in zip([kernel, readout], tape.gradient(loss, [kernel, readout])):
        variable.assign_sub(lr * gradient)
    return loss


history = []


@tf.function
def fit_batches(all_at, all_wanted, lr_2):
    result_spec = fit_batch.get_concrete_function(all_at[0], all_wanted[0], lr=lr_2).structured_outputs
    all_result = tf.TensorArray(result_spec.dtype, len(all_at), element_shape=result_spec.shape)
    for turn in tf.range(len(all_at)):
        result = fit_batch(all_at[turn], all_wanted[turn], lr=lr_2)
        all_result = all_result.write(turn, result)
    return all_result.stack()


for epoch in range(EPOCHS):
    order = order_rng.permutation(len(points))
    total, count = 0.0, 0
    turns = iter(range(0, len(points), BATCH))
    while chunk := list(itertools.islice(turns, 16)):
        arguments = []
        for start in chunk:
            chosen = order[start : start + BATCH]
            at = tf.constant(points[chosen])
            arguments.append((at, tf.constant(values[chosen])))
        results = []
        for _, alike in itertools.groupby(arguments, lambda parts: [part.shape for part in parts]):
            results += tf.unstack(fit_batches(*map(tf.stack, zip(*alike)), tf.constant(0.1)))
        for result in results:
            total += float(result)
            count += 1
    history.append(total / count)
    print("epoch", epoch, "loss %.5f" % history[-1])
