# `tf` is imported below the loop: a step above could not name it, so nothing is offered.
from tensorflow import GradientTape, Variable, keras, reduce_mean, square

weights = Variable([[0.5], [0.25]])
optimizer = keras.optimizers.SGD(0.1)


def fit(batches):
    for x, y in batches:
        with GradientTape() as tape:
            loss = reduce_mean(square(x @ weights - y))
        gradients = tape.gradient(loss, [weights])
        optimizer.apply_gradients(zip(gradients, [weights]))
    return loss


import tensorflow as tf

inputs = tf.random.stateless_normal([16, 2], [0, 1])
batches = tf.data.Dataset.from_tensor_slices((inputs, inputs[:, :1])).batch(4)
losses = [float(fit(batches)) for _ in range(3)]
