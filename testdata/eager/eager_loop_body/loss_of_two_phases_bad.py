"""The loss that the last turn has defined is asked once more behind the loop: it stays, and the step with it."""

import tensorflow as tf

weight = tf.Variable(1.0)
data = tf.data.Dataset.from_tensor_slices(tf.random.stateless_normal([400], [1, 2])).batch(4)

for epoch in range(3):
    for x in data:

        def loss_fn():
            return tf.reduce_mean(tf.square(weight * x - 2.0 * x))

        with tf.GradientTape() as tape:
            loss = loss_fn()
        weight.assign_sub(0.1 * tape.gradient(loss, weight))
    print(epoch, float(loss))

for epoch in range(3):
    for x in data:

        def loss_fn():
            return tf.reduce_mean(tf.square(weight * x - 3.0 * x)) + 0.1 * tf.square(weight)

        with tf.GradientTape() as tape:
            loss = loss_fn()
        weight.assign_sub(0.1 * tape.gradient(loss, weight))
    print(epoch, float(loss), float(loss_fn()))
